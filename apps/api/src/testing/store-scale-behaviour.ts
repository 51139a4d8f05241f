import { isOfShard, type Shard } from '@guild-settings/contract';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type PruneLimits, WriteUnconfirmedError } from '../store/store.ts';
import { CHANGE, prefix, presence, pruneAll } from './store-commands.ts';
import { type StoreResource, storeTest } from './store-resource.ts';

/** A store whose database a test reads and fills past it. */
export interface OpenDatabase extends StoreResource {
  /** Runs a statement of the SQL that both stores understand; returns its rows. */
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

const DUE: PruneLimits = { now: 1_000_000, changesBefore: 500, leftBefore: 500 };

/** Tests a store adapter with many guilds and a long log. */
export function describeStoreAtScale(name: string, open: () => Promise<OpenDatabase>): void {
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
      const timer = setInterval(() => {
        turns += 1;
      }, 1);
      expect(await resource.store.guildsNotLeft({ id: 5, count: 200 })).toHaveLength(50);
      clearInterval(timer);
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
        // A server may close a connection that a busy machine has left idle in a transaction.
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
        // A process that is killed between two slices: another one goes on.
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

/** Numbers from one up to another, as a table `n` with the column `i`. */
const numbers = (from: number, to: number) =>
  `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`;

/** The id of a guild by its number. */
const guildOf = (number: string) => `CAST(200000000000000000 + CAST(${number} AS bigint) * 4194304 AS text)`;

const GUILD_COLUMNS = `id, settings, revision, presence, left_at, updated_at`;
const GUILD_VALUES = `'{}'`;

/** Each guild is of the shard after that of the guild before it. */
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

/** Guilds that are there while their newest change is not: history goes from its beginning. */
const GUILDS_WITH_GAPS = `
  SELECT id FROM guilds WHERE left_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM changes WHERE guild_id = id)
  AND NOT EXISTS (SELECT 1 FROM changes WHERE changes.revision = guilds.revision)`;
