import { describe, expect, test } from 'vitest';
import type { Store } from '../store/store.ts';
import { pruneAll } from './prune-all.ts';
import { describeStoreFeed } from './store-feed-behaviour.ts';
import { A, B, CHANGE, NEVER_SEEN, prefix, presence } from './store-writes.ts';

/** A store of its own for one test; `reopen` closes it and opens the same data again. */
export interface StoreResource extends AsyncDisposable {
  readonly store: Store;
  reopen(): Promise<Store>;
}

/** What every store adapter does, shown once for each. */
export function describeStore(name: string, open: () => Promise<StoreResource>): void {
  describeStoreFeed(name, open);

  describe(`${name} store`, () => {
    test('has nothing of a guild that was never written', async () => {
      await using resource = await open();
      expect(await resource.store.read(NEVER_SEEN)).toBeNull();
    });

    test('gives back what was written, to the last character', async () => {
      await using resource = await open();
      const { store } = resource;
      const settings = {
        prefix: `'";--👍`,
        announcement_channel: 'ü',
        beta: true,
        language: 'ja' as const,
        enabledFeatures: ['b', 'a', '\u2028'],
      };
      const logged = { day: 20_000, bytes: 5_000_000_000 };
      const next = { name: 'नाम', icon: 'abc', settings, presence: 'present' as const, leftAt: null, logged };
      await store.write([A], () => ({ next, change: CHANGE }));
      expect(await store.read(A)).toEqual({ ...next, id: A, revision: 1, updatedAt: CHANGE.at });
    });

    test('decides on what is stored at that moment', async () => {
      await using resource = await open();
      const { store } = resource;
      await store.write([A], prefix('1'));
      const seen: unknown[] = [];
      await store.write([A, B], (current, id) => {
        seen.push([id, current?.settings.prefix, current?.revision]);
        return null;
      });
      expect(seen).toEqual([
        [A, '1', 1],
        [B, undefined, undefined],
      ]);
    });

    test('gives every write a revision of its own, without gaps', async () => {
      await using resource = await open();
      const { store } = resource;
      expect(await store.write([A, B], prefix('1'))).toMatchObject({ written: 2, revision: 2 });
      expect(await store.write([A], () => null)).toMatchObject({ written: 0, revision: 2 });
      expect(await store.write([B], prefix('2'))).toMatchObject({ written: 1, revision: 3 });
      const revisions = await Promise.all([A, B].map(async (id) => (await store.read(id))?.revision));
      expect(revisions).toEqual([1, 3]);
    });

    test('undoes the whole transaction when a decision throws, and passes the error on', async () => {
      await using resource = await open();
      const { store } = resource;
      const refusal = new Error('refused');
      const write = store.write([A, B], (current, id) => {
        if (id === B) throw refusal;
        return prefix('1')(current);
      });
      await expect(write).rejects.toBe(refusal);
      expect(await store.read(A)).toBeNull();
      expect(await store.write([A], prefix('2'))).toMatchObject({ revision: 1 });
    });

    test('lets each of many at once see what those before it wrote; a refused one stops no other', async () => {
      await using resource = await open();
      const { store } = resource;
      const refusal = new Error('refused');
      const results = await Promise.allSettled([
        store.write([A], prefix('1')),
        store.write([B, A], (current, id) => {
          if (id === A && current?.settings.prefix === '1') throw refusal;
          return prefix('2')(current);
        }),
        store.write([A], (current) => prefix(`${current?.settings.prefix}3`)(current)),
        store.write([B], () => null),
      ]);
      expect(results).toMatchObject([
        { value: { written: 1, revision: 1, guilds: [{ settings: { prefix: '1' } }] } },
        { reason: refusal },
        { value: { written: 1, revision: 2, guilds: [{ settings: { prefix: '13' } }] } },
        { value: { written: 0, revision: 2, guilds: [null] } },
      ]);
      expect(await store.read(A)).toMatchObject({ revision: 2, settings: { prefix: '13' } });
      expect(await store.read(B)).toBeNull();
    });

    test('gives the stamp of what it would read', async () => {
      await using resource = await open();
      const { store } = resource;
      expect(await store.readStamp(A)).toBeNull();
      await store.write([A], presence('present'));
      expect(await store.readStamp(A)).toEqual({ revision: 1, updatedAt: CHANGE.at, presence: 'present' });
      await store.write([A], prefix('2', 2_000));
      expect(await store.readStamp(A)).toEqual({ revision: 2, updatedAt: 2_000, presence: 'present' });
    });

    test('gives each of many who ask at once the stamp of their own guild', async () => {
      await using resource = await open();
      const { store } = resource;
      await store.write([A, B], presence('present'));
      const asked = Array.from({ length: 300 }, (_, index) => [B, NEVER_SEEN, A][index % 3] ?? A);
      const stamps = await Promise.all(asked.map((id) => store.readStamp(id)));
      const revisions = new Map([
        [A, 1],
        [B, 2],
      ]);
      expect(stamps.map((stamp) => stamp?.revision)).toEqual(asked.map((id) => revisions.get(id)));
    });

    test('gives a stamp that is no older than the question, whoever else is asking', async () => {
      await using resource = await open();
      const { store } = resource;
      const asking = Array.from({ length: 20 }, async (_, index) => {
        const { revision } = await store.write([A], prefix(`${index}`));
        void store.readStamp(A);
        return ((await store.readStamp(A))?.revision ?? 0) - revision;
      });
      expect(Math.min(...(await Promise.all(asking)))).toBeGreaterThanOrEqual(0);
    });

    test('lets no concurrent write be lost', async () => {
      await using resource = await open();
      const { store } = resource;
      await Promise.all(
        Array.from({ length: 50 }, () =>
          store.write([A], (current) => prefix(`${Number(current?.settings.prefix ?? 0) + 1}`)(current)),
        ),
      );
      expect(await store.read(A)).toMatchObject({ revision: 50, settings: { prefix: '50' } });
    });

    test('keeps data and revisions when it is opened again, and cursors can be resumed', async () => {
      await using resource = await open();
      const { epoch } = await resource.store.readFeed(0, 1);
      await resource.store.write([A], prefix('1'));
      const again = await resource.reopen();
      expect(await again.canResume({ epoch, revision: 1 })).toBe(true);
      expect(await again.read(A)).toMatchObject({ revision: 1, settings: { prefix: '1' } });
      expect(await again.write([A], prefix('2'))).toMatchObject({ revision: 2 });
    });

    test('has an epoch of its own', async () => {
      await using one = await open();
      await using other = await open();
      const [{ epoch }, elsewhere] = await Promise.all([one.store.readFeed(0, 1), other.store.readFeed(0, 1)]);
      expect(epoch).toMatch(/^[0-9a-f-]{36}$/);
      expect(epoch).not.toBe(elsewhere.epoch);
    });

    test("lists a shard's guilds that the bot has not left", async () => {
      await using resource = await open();
      const { store } = resource;
      const shardOf = (id: string) => ({ id: Number((BigInt(id) >> 22n) % 2n), count: 2 });
      await store.write([A], presence('present'));
      await store.write([NEVER_SEEN], presence('left', 5));
      expect(await store.guildsNotLeft(shardOf(A))).toEqual([A]);
      expect(await store.guildsNotLeft({ id: 1 - shardOf(A).id, count: 2 })).toEqual([]);
      expect(await store.guildsNotLeft(shardOf(NEVER_SEEN))).not.toContain(NEVER_SEEN);
    });

    test('remembers which shards have reported, however often', async () => {
      await using resource = await open();
      const { store } = resource;
      await store.markShardReported({ id: 1, count: 2 }, 1);
      await store.markShardReported({ id: 1, count: 2 }, 2);
      await store.markShardReported({ id: 0, count: 4 }, 3);
      const shards = await store.reportedShards();
      expect([...shards].sort((a, b) => a.count - b.count)).toEqual([
        { id: 1, count: 2 },
        { id: 0, count: 4 },
      ]);
    });

    test('prunes changes from before a moment', async () => {
      await using resource = await open();
      const { store } = resource;
      await store.write([A], prefix('1', 100));
      await store.write([A], prefix('2', 200));
      expect(await pruneAll(store, { now: 300, changesBefore: 200, leftBefore: 0 })).toMatchObject({
        changes: 1,
        guilds: 0,
      });
      expect(await pruneAll(store, { now: 300, changesBefore: 200, leftBefore: 0 })).toMatchObject({
        changes: 0,
        guilds: 0,
      });
      expect(await store.read(A)).toMatchObject({ revision: 2 });
    });

    test('keeps young changes when an older one has a wrong date', async () => {
      await using resource = await open();
      const { store } = resource;
      for (const at of [1_000, 1_001, 5, 1_002]) await store.write([A], prefix(`${at}`, at));
      expect(await pruneAll(store, { now: 1_003, changesBefore: 500, leftBefore: 0 })).toEqual({
        changes: 0,
        guilds: 0,
      });
    });

    test('erases guilds that were left before a moment, under a revision', async () => {
      await using resource = await open();
      const { store } = resource;
      await store.write([A], presence('left', 100));
      await store.write([B], presence('left', 200));
      expect(await pruneAll(store, { now: 300, changesBefore: 0, leftBefore: 200 })).toMatchObject({
        changes: 0,
        guilds: 1,
      });
      expect([await store.read(A), (await store.read(B))?.revision]).toEqual([null, 2]);
      expect(await store.write([B], prefix('1'))).toMatchObject({ revision: 4 });
    });

    test('answers a ping', async () => {
      await using resource = await open();
      const { store } = resource;
      await expect(store.probeRead([A, NEVER_SEEN])).resolves.toBeUndefined();
      await expect(store.probeWrite()).resolves.toBeUndefined();
    });
  });
}
