import { isOfShard, type Shard } from '@guild-settings/contract';
import { startTestPostgres } from '@guild-settings/testing';
import {
  A,
  B,
  CHANGE,
  erase,
  NEVER_SEEN,
  type OpenDatabase,
  prefix,
  presence,
  pruneAll,
  type StoreResource,
  storesOn,
  storeTest,
} from '@guild-settings/testing/stores';
import fc from 'fast-check';
import { afterAll, describe, expect } from 'vitest';
import { type PruneLimits, WriteUnconfirmedError } from './store.ts';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

function describeStoreErasures(name: string, open: () => Promise<StoreResource>): void {
  const test = storeTest(open);
  describe(`${name} store, about erasures,`, () => {
    test('erases a guild and its history, and keeps one line without its id', async ({ store }) => {
      await store.write(presence([A], 'present'));
      await store.write(prefix([A, B], '1'));
      const [, { guilds, written, revision }, again] = await Promise.all([
        store.write(prefix([A], 'before')),
        store.write(erase([A], 2_000)),
        store.write({ kind: 'append', guildIds: [A], text: 'after' }),
      ]);
      expect([guilds, written, revision]).toEqual([[null], 1, 5]);
      expect(again).toMatchObject({ guilds: [{ revision: 6, settings: { prefix: '!after' } }] });
      await store.finishErasures('guild');
      expect(await store.readErasure(A)).toEqual({ revision: 5, at: 2_000, wasPresent: true });
      expect(await store.readErasure(B)).toBeNull();
      const range = { guildId: A, after: 0, before: 100, order: 'oldest-first', limit: 10 } as const;
      expect((await store.readHistory(range)).map((line) => line.revision)).toEqual([6]);
      const { entries } = await store.readFeed(2, 10);
      expect(entries.map((entry) => ('guild' in entry ? [entry.revision, entry.guild.id] : entry))).toEqual([
        [3, B],
        { revision: 5, erased: A },
        [6, A],
      ]);
      expect(await store.countErasures()).toBe(0);
    });

    test('continues in another process with the erasures that one has left unfinished', async ({ resource }) => {
      await resource.store.write(prefix([A], '1'));
      await resource.store.write(erase([A]));
      await resource.store.forget(CHANGE.actor.id, 1_000);
      expect(await resource.store.countErasures()).toBe(2);
      const store = await resource.reopen();
      await Promise.all([store.finishErasures('guild'), store.finishErasures('person')]);
      expect(await store.countErasures()).toBe(0);
    });

    test('records the erasure of an author alone, and another one if that is allowed and there are later changes', async ({
      store,
    }) => {
      const refuse = (lastAt: number) => {
        throw new Error(`the last was at ${lastAt}`);
      };
      expect(await store.forget(CHANGE.actor.id, 1_000, refuse)).toBe(false);
      await store.write(prefix([A], '1'));
      expect(await store.forget('53908099506183999', 1_000, refuse)).toBe(false);
      expect(await store.countErasures()).toBe(0);
      expect(await store.forget(CHANGE.actor.id, 1_000, refuse)).toBe(true);
      expect(await store.forget(CHANGE.actor.id, 2_000, refuse)).toBe(true);
      expect(await store.countErasures()).toBe(1);
      await store.write(prefix([A], '2'));
      await expect(store.forget(CHANGE.actor.id, 3_000, refuse)).rejects.toThrow('the last was at 1000');
      expect(await store.countErasures()).toBe(1);
      expect(await store.forget(CHANGE.actor.id, 4_000)).toBe(true);
      await store.finishErasures('person');
      expect(await store.forget(CHANGE.actor.id, 5_000, refuse)).toBe(true);
      expect(await store.countErasures()).toBe(0);
    });

    test("replaces a person's id in all changes until the request, and keeps the changes", async ({ store }) => {
      for (let turn = 0; turn < 10; turn += 1) await store.write(prefix([A, B], `${turn}`));
      await store.forget(CHANGE.actor.id, 1_000);
      await store.write(prefix([A], 'later'));
      await store.forget('53908099506183999', 1_000);
      await store.finishErasures('person');
      const range = { guildId: A, after: 0, before: 100, order: 'oldest-first', limit: 100 } as const;
      const authors = (await store.readHistory(range)).map(({ actor }) => actor.id);
      expect(authors).toEqual([...Array(10).fill(''), CHANGE.actor.id]);
    });
  });
}

function describeStoreFeed(name: string, open: () => Promise<StoreResource>): void {
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

const DUE: PruneLimits = { now: 1_000_000, changesBefore: 500, leftBefore: 500 };

function describeStoreAtScale(name: string, open: () => Promise<OpenDatabase>): void {
  const test = storeTest(open);
  describe(`${name} store, with many guilds,`, () => {
    test('lists the guilds of a shard by the formula of Discord, for every id and shard count', async ({ store }) => {
      const edges = ['00000000000000000', '9223372036854775807', '9223372036854775808', '9999999999999999999'];
      const random = fc.sample(fc.stringMatching(/^\d{17,19}$/), { numRuns: 120, seed: 1 });
      const ids = [...new Set([...edges, ...random])];
      const [before, after] = [ids.slice(0, 60), ids.slice(60)];
      const shards: Shard[] = [1, 7, 16, 65_536].map((count) => ({
        id: Number((BigInt('9999999999999999999') >> 22n) % BigInt(count)),
        count,
      }));
      await store.write(presence(before, 'present'));
      for (const shard of shards) {
        expect(await store.guildsNotLeft(shard)).toEqual(before.filter((id) => isOfShard(id, shard)).sort());
      }
      await store.write(presence(after, 'present'));
      for (const shard of shards) {
        expect(await store.guildsNotLeft(shard)).toEqual(ids.filter((id) => isOfShard(id, shard)).sort());
      }
    });

    test('does not block the event loop while it lists the guilds of a shard', async ({ resource }) => {
      await fillGuilds(resource, { from: 0, to: 10_000 });
      let turns = 0;
      let isListed = false;
      const countTurns = () => {
        turns += 1;
        if (!isListed) setImmediate(countTurns);
      };
      setImmediate(countTurns);
      expect(await resource.store.guildsNotLeft({ id: 5, count: 200 })).toHaveLength(50);
      isListed = true;
      expect(turns).toBeGreaterThan(3);
    });
  });

  describe(`${name} store, with many rows past their retention,`, () => {
    test('deletes all of it in slices between which other writes commit', async ({ resource, store }) => {
      await fillPast(resource);
      let slices = 0;
      let writes = 0;
      const pruning = pruneAll(store, DUE, () => {
        slices += 1;
      });
      let isPruned = false;
      void pruning.finally(() => {
        isPruned = true;
      });
      while (!isPruned) {
        // The server may have closed a connection that a busy machine left idle in a transaction.
        const isWritten = await store.write(prefix(['197038439483310086'], `${writes}`, DUE.now)).then(
          () => true,
          (error: unknown) => expect(error).toBeInstanceOf(WriteUnconfirmedError),
        );
        if (isWritten && !isPruned) writes += 1;
      }
      expect(await pruning).toEqual({ changes: 5_000, guilds: 600 });
      expect(slices).toBeGreaterThan(10);
      expect(writes).toBeGreaterThan(5);
      expect(await resource.query('SELECT id FROM guilds WHERE left_at IS NOT NULL')).toEqual([]);
      expect(await resource.query('SELECT revision FROM changes WHERE at < 500')).toEqual([]);
    });

    test('never shows a history with a gap, nor a log that is incomplete after its oldest', async ({ resource }) => {
      await fillPast(resource);
      const { epoch } = await resource.store.readFeed(0, 1);
      let { store } = resource;
      for (let isDone = false, times = 0; !isDone; times++) {
        ({ isDone } = await store.prune(DUE));
        // Simulates a process that is killed between two slices; another one continues.
        if (times % 20 === 7) store = await resource.reopen();
        const [bounds] = await resource.query('SELECT oldest_revision FROM meta');
        const oldest = Number(bounds?.oldest_revision);
        const [kept] = await resource.query(
          `SELECT count(*) AS rows FROM changes WHERE revision BETWEEN ${oldest} AND 5000`,
        );
        expect(Number(kept?.rows)).toBe(5_000 - oldest + 1);
        expect(await store.canResume({ epoch, revision: oldest - 2 })).toBe(false);
        if (times % 5 === 0) expect(await resource.query(GUILDS_WITH_GAPS)).toEqual([]);
      }
      expect(await resource.query('SELECT id FROM guilds WHERE left_at IS NOT NULL')).toEqual([]);
    });
  });
}

/** A range of numbers, as a table `n` with the column `i`. */
const numbers = (from: number, to: number) =>
  `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`;

const guildOf = (number: string) => `CAST(200000000000000000 + CAST(${number} AS bigint) * 4194304 AS text)`;

const GUILD_COLUMNS = `id, settings, revision, presence, left_at, updated_at`;
const GUILD_VALUES = `'{}'`;

/** Each guild belongs to the shard after that of the previous guild. */
async function fillGuilds({ query }: OpenDatabase, { from, to }: { readonly from: number; readonly to: number }) {
  await query(
    `INSERT INTO guilds (${GUILD_COLUMNS}) ${numbers(from, to)}
     SELECT ${guildOf('i')}, ${GUILD_VALUES}, i + 1, 'present', NULL, 1000 FROM n`,
  );
}

/** 5,000 old changes, then 600 guilds that were left long ago with a change each, and 1,500 more of one of them. */
async function fillPast(resource: OpenDatabase): Promise<void> {
  const [past, left, last] = [5_000, 5_600, 7_100];
  const columns = 'revision, guild_id, at, actor_kind, actor_id, origin, before, after';
  const rest = `'user', '${CHANGE.actor.id}', 'rest', '{}', '{}'`;
  await resource.query(
    `INSERT INTO changes (${columns}) ${numbers(1, past + 1)} SELECT i, ${guildOf('i * 7919 % 997 + 5000')}, 100, ${rest} FROM n`,
  );
  await resource.query(
    `INSERT INTO changes (${columns}) ${numbers(past + 1, left + 1)} SELECT i, ${guildOf('i % 600')}, 900, ${rest} FROM n`,
  );
  await resource.query(
    `INSERT INTO changes (${columns}) ${numbers(left + 1, last + 1)} SELECT i, ${guildOf('3')}, 900, ${rest} FROM n`,
  );
  await resource.query(
    `INSERT INTO guilds (${GUILD_COLUMNS}) ${numbers(0, 600)}
     SELECT ${guildOf('i')}, ${GUILD_VALUES},
       (SELECT max(revision) FROM changes WHERE guild_id = ${guildOf('n.i')}), 'left', 400, 900 FROM n`,
  );
  await resource.query(`UPDATE meta SET last_revision = ${last}`);
}

/** Guilds whose newest change is missing in the log, although history is deleted oldest first. */
const GUILDS_WITH_GAPS = `
  SELECT id FROM guilds WHERE left_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM changes WHERE guild_id = id)
  AND NOT EXISTS (SELECT 1 FROM changes WHERE changes.revision = guilds.revision)`;

for (const [name, open] of storesOn(server)) {
  describeStoreErasures(name, open);
  describeStoreFeed(name, open);
  describeStoreAtScale(name, open);
}
