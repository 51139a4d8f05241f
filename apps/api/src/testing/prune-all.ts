import type { Pruned, PruneLimits, Store } from '../store/store.ts';

/** Repeats slices until nothing is due. */
export async function pruneAll(store: Store, limits: PruneLimits, onSlice = () => {}): Promise<Pruned> {
  const total = { changes: 0, guilds: 0 };
  for (;;) {
    const { changes, guilds, isDone } = await store.prune(limits);
    total.changes += changes;
    total.guilds += guilds;
    if (isDone) return total;
    onSlice();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
