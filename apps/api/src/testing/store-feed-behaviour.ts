import { describe, expect } from 'vitest';
import { A, B, NEVER_SEEN, prefix, presence, pruneAll } from './store-commands.ts';
import { type StoreResource, storeTest } from './store-resource.ts';

/** Tests the feed of a store adapter. */
export function describeStoreFeed(name: string, open: () => Promise<StoreResource>): void {
  const test = storeTest(open);
  describe(`${name} store, as a feed,`, () => {
    test('returns the changes after a revision in order, each guild once at its newest revision', async ({ store }) => {
      for (const [id, value] of [
        [A, '1'],
        [B, '2'],
        [A, '3'],
      ] as const)
        await store.write(prefix([id], value));
      const seen = async (after: number) => {
        const { entries, upTo, isLast } = await store.readFeed(after, 10);
        return [entries.map((entry) => ('guild' in entry ? [entry.revision, entry.guild.id] : entry)), upTo, isLast];
      };
      expect(await seen(0)).toEqual([
        [
          [2, B],
          [3, A],
        ],
        3,
        true,
      ]);
      expect(await seen(2)).toEqual([[[3, A]], 3, true]);
      expect(await seen(3)).toEqual([[], 3, true]);
    });

    test('returns a long backlog in pages, with erasures in order', async ({ store }) => {
      const ids = Array.from({ length: 7 }, (_, index) => `19703843948331008${index}`);
      for (const id of ids) await store.write(presence([id], 'left', id === ids[1] || id === ids[5] ? 1 : 900));
      await pruneAll(store, { now: 1_000, changesBefore: 0, leftBefore: 500 });
      await store.write(prefix([NEVER_SEEN], 'last'));
      const told: unknown[] = [];
      for (let after = 0, isLast = false; !isLast; ) {
        const page = await store.readFeed(after, 2);
        expect(page.entries.length).toBeLessThanOrEqual(4);
        for (const entry of page.entries)
          told.push([
            entry.revision,
            'guild' in entry ? entry.guild.id : 'erased' in entry ? `-${entry.erased}` : `access ${entry.access}`,
          ]);
        ({ upTo: after, isLast } = page);
      }
      expect(told).toEqual([
        [1, ids[0]],
        [3, ids[2]],
        [4, ids[3]],
        [5, ids[4]],
        [7, ids[6]],
        [8, `-${ids[1]}`],
        [9, `-${ids[5]}`],
        [10, NEVER_SEEN],
      ]);
    });

    test('ends a page at the record that exceeds its bytes, also where one alone does', async ({ store }) => {
      const values = [1, 100_000, 100_000, 100_000, 1, 400_000, 1].map((length) => 'x'.repeat(length));
      for (const [index, value] of values.entries()) await store.write(prefix([`19703843948331008${index}`], value));
      const pages: number[] = [];
      for (let after = 0, isLast = false; !isLast; ) {
        const page = await store.readFeed(after, 250);
        pages.push(page.entries.length);
        ({ upTo: after, isLast } = page);
      }
      expect(pages).toEqual([4, 2, 1]);
    });

    test('resumes no cursor of another history, beyond the newest revision, or before the log', async ({ store }) => {
      await store.write(prefix([A], '1', 100));
      await store.write(prefix([A], '2', 200));
      const page = await store.readFeed(0, 1);
      const resumes = (revision: number, epoch = page.epoch) => store.canResume({ epoch, revision });
      expect(await Promise.all([resumes(0), resumes(2), resumes(3), resumes(1, 'another')])).toEqual([
        true,
        true,
        false,
        false,
      ]);
      await pruneAll(store, { now: 300, changesBefore: 200, leftBefore: 0 });
      expect(await Promise.all([resumes(0), resumes(1)])).toEqual([false, true]);
    });
  });
}
