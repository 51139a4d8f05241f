import { expect, test } from 'vitest';
import { CommitTimes } from './commit-times.ts';
import { Watcher } from './watcher.ts';
import { WatcherRows } from './watcher-rows.ts';

test('a watcher that changes its shards while it is stored, and is forgotten, is not stored again', async () => {
  const stored = new Set<string>();
  const options = { id: 'a', name: 'a', shards: [{ id: 0, count: 2 }] };
  const watcher = new Watcher(options, { sinceMs: 0, leftAtMs: 0, commits: new CommitTimes(), onRejections: () => {} });
  const store = {
    async saveWatchers(rows: readonly { readonly id: string }[]) {
      for (const { id } of rows) stored.add(id);
      watcher.shards = [{ id: 1, count: 2 }];
      table.delete(watcher.id, 1);
    },
    async deleteWatchers(ids: readonly string[]) {
      for (const id of ids) stored.delete(id);
    },
  };
  const table = new WatcherRows(store, () => {});
  await table.save(watcher);
  await table.idle();
  expect(stored).toEqual(new Set());
});
