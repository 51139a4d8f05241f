import type { Store } from '../store/store.ts';
import type { Feed } from './feed.ts';

/** The same store, which wakes the watchers after a commit: never before, when there is nothing to read yet. */
export function publishingStore(store: Store, feed: Feed): Store {
  return {
    ...store,
    async write(guildIds, decide) {
      const result = await store.write(guildIds, decide);
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
