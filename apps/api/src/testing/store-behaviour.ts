import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { describe, expect, test } from 'vitest';
import type { Change, GuildWrite, Store, StoredGuild } from '../store/store.ts';

/** A store of its own for one test; `reopen` closes it and opens the same data again. */
export interface StoreResource extends AsyncDisposable {
  readonly store: Store;
  reopen(): Promise<Store>;
}

const A = '197038439483310086';
const B = '197038439483310087';
const NEVER_SEEN = '9999999999999999999';

const CHANGE: Change = {
  at: 1_000,
  actor: { kind: 'user', id: '53908099506183680' },
  origin: 'rest',
  reason: null,
  before: {},
  after: {},
};

function prefix(value: string, at = 1_000): (current: StoredGuild | null) => GuildWrite {
  return (current) => {
    const state = current ?? { name: null, icon: null, settings: DEFAULT_SETTINGS, presence: 'unknown', leftAt: null };
    const before = { prefix: state.settings.prefix };
    return {
      next: { ...state, settings: { ...state.settings, prefix: value } },
      change: { ...CHANGE, at, before, after: { prefix: value } },
    };
  };
}

function presence(value: 'present' | 'left', leftAt: number | null = null) {
  return (current: StoredGuild | null): GuildWrite => {
    const { next, change } = prefix('!')(current);
    return { next: { ...next, presence: value, leftAt }, change };
  };
}

/** What every store adapter does, shown once for each. */
export function describeStore(name: string, open: () => Promise<StoreResource>): void {
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
      const next = { name: 'नाम', icon: 'abc', settings, presence: 'present' as const, leftAt: null };
      await store.write([A], () => ({ next, change: CHANGE }));
      expect(await store.read(A)).toEqual({ ...next, id: A, revision: 1 });
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
      const { epoch } = resource.store;
      await resource.store.write([A], prefix('1'));
      const again = await resource.reopen();
      expect(await again.canResume({ epoch, revision: 1 })).toBe(true);
      expect(await again.read(A)).toMatchObject({ revision: 1, settings: { prefix: '1' } });
      expect(await again.write([A], prefix('2'))).toMatchObject({ revision: 2 });
    });

    test('has an epoch of its own', async () => {
      await using one = await open();
      await using other = await open();
      expect(one.store.epoch).toMatch(/^[0-9a-f-]{36}$/);
      expect(one.store.epoch).not.toBe(other.store.epoch);
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
      expect(await store.prune({ now: 300, changesBefore: 200, leftBefore: 0 })).toEqual({ changes: 1, guilds: 0 });
      expect(await store.prune({ now: 300, changesBefore: 200, leftBefore: 0 })).toEqual({ changes: 0, guilds: 0 });
      expect(await store.read(A)).toMatchObject({ revision: 2 });
    });

    test('keeps young changes when an older one has a wrong date', async () => {
      await using resource = await open();
      const { store } = resource;
      for (const at of [1_000, 1_001, 5, 1_002]) await store.write([A], prefix(`${at}`, at));
      expect(await store.prune({ now: 1_003, changesBefore: 500, leftBefore: 0 })).toEqual({ changes: 0, guilds: 0 });
    });

    test('erases guilds that were left before a moment, under a revision', async () => {
      await using resource = await open();
      const { store } = resource;
      await store.write([A], presence('left', 100));
      await store.write([B], presence('left', 200));
      expect(await store.prune({ now: 300, changesBefore: 0, leftBefore: 200 })).toEqual({ changes: 0, guilds: 1 });
      expect([await store.read(A), (await store.read(B))?.revision]).toEqual([null, 2]);
      expect(await store.write([B], prefix('1'))).toMatchObject({ revision: 4 });
    });

    test('tells what happened after a revision in order, each guild once, as it is now', async () => {
      await using resource = await open();
      const { store } = resource;
      for (const [id, value] of [
        [A, '1'],
        [B, '2'],
        [A, '3'],
      ] as const)
        await store.write([id], prefix(value));
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

    test('tells a long backlog page by page, erasures in their places', async () => {
      await using resource = await open();
      const { store } = resource;
      const ids = Array.from({ length: 7 }, (_, index) => `19703843948331008${index}`);
      for (const id of ids) await store.write([id], presence('left', id === ids[1] || id === ids[5] ? 1 : 900));
      await store.prune({ now: 1_000, changesBefore: 0, leftBefore: 500 });
      await store.write([NEVER_SEEN], prefix('last'));
      const told: unknown[] = [];
      for (let after = 0, isLast = false; !isLast; ) {
        const page = await store.readFeed(after, 2);
        expect(page.entries.length).toBeLessThanOrEqual(4);
        for (const entry of page.entries)
          told.push([entry.revision, 'guild' in entry ? entry.guild.id : `-${entry.erased}`]);
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

    test('resumes no cursor of another history, from ahead, or from before the log', async () => {
      await using resource = await open();
      const { store } = resource;
      await store.write([A], prefix('1', 100));
      await store.write([A], prefix('2', 200));
      const resumes = (revision: number, epoch = store.epoch) => store.canResume({ epoch, revision });
      expect(await Promise.all([resumes(0), resumes(2), resumes(3), resumes(1, 'another')])).toEqual([
        true,
        true,
        false,
        false,
      ]);
      await store.prune({ now: 300, changesBefore: 200, leftBefore: 0 });
      expect(await Promise.all([resumes(0), resumes(1)])).toEqual([false, true]);
    });

    test('answers a ping', async () => {
      await using resource = await open();
      const { store } = resource;
      await expect(store.ping()).resolves.toBeUndefined();
    });
  });
}
