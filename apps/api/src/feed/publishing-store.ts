import type { Store, StoreCommand } from '../store/store.ts';
import type { Feed } from './feed.ts';

/** The same store, which wakes the watchers after a commit: never before, when there is nothing to read yet. */
export function publishingStore<Command extends StoreCommand>(store: Store<Command>, feed: Feed): Store<Command> {
  return {
    ...store,
    async write(command) {
      const result = await store.write(command);
      if (result.written > 0) feed.wake();
      return result;
    },
    async prune(limits) {
      const pruned = await store.prune(limits);
      if (pruned.guilds > 0) feed.wake();
      return pruned;
    },
  };
}
