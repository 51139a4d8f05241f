import { setImmediate } from 'node:timers/promises';
import type { GuildId } from '@guild-settings/contract';
import { repeatForSlice, runSlices } from '../background-slice.ts';
import { MAX_SHARD_COUNTS } from '../shard-counts.ts';
import type { ListedGuild, ShardLists } from '../shard-guilds.ts';
import type { BackgroundWrites } from './background-writes.ts';
import type { SqliteDatabase } from './database.ts';
import { withStoreErrors } from './transaction.ts';

/** Guilds that one step lists. */
const STEP_GUILDS = 100;

/** Guilds that one statement reads. */
const PAGE_GUILDS = 500;

/** Opens the lists of guilds by shard of a SQLite file. */
export function openShardLists(db: SqliteDatabase, background: BackgroundWrites) {
  const statements = prepare(db);
  const { add, forgetOthers, forgetUnused, state, next, list, moveFilledTo, unlisted, deleteListed } = statements;

  /** Lists some guilds for a shard count, inside a transaction. Returns whether some are left. */
  function fillSlice(count: number): boolean {
    add.run(count);
    forgetOthers.run(count, MAX_SHARD_COUNTS - 1);
    let filledTo = state.get(count)?.filledTo ?? null;
    const isMore = repeatForSlice(() => {
      if (filledTo === null) return false;
      const last: GuildId | undefined = next.get(filledTo, STEP_GUILDS - 1);
      list.run({ count, after: filledTo, limit: STEP_GUILDS });
      filledTo = last ?? null;
      return true;
    });
    moveFilledTo.run(filledTo, count);
    return isMore;
  }

  return {
    async page({ id, count }, after) {
      const guilds = withStoreErrors(() => statements.page.all(count, id, after, PAGE_GUILDS));
      // Lets requests in between two pages.
      await setImmediate();
      return { guilds, isLast: guilds.length < PAGE_GUILDS };
    },

    async isFilled(count) {
      return withStoreErrors(() => state.get(count))?.filledTo === null;
    },

    fill: (count) => runSlices(() => background.write(() => fillSlice(count))),

    /** Deletes a slice of the lists of unused shard counts, inside a transaction. Returns whether some are left. */
    tidy(unusedSince: number): boolean {
      forgetUnused.run(unusedSince);
      return repeatForSlice(() => {
        const count = unlisted.get();
        if (count !== undefined) deleteListed.run(count, STEP_GUILDS);
        return count !== undefined;
      });
    },
  } satisfies ShardLists & { tidy: unknown };
}

function prepare({ $client: db }: SqliteDatabase) {
  return {
    state: db.prepare<[number], { filledTo: GuildId | null }>(
      'SELECT filled_to AS filledTo FROM shard_counts WHERE count = ?',
    ),
    add: db.prepare<[number]>("INSERT INTO shard_counts (count, filled_to) VALUES (?, '') ON CONFLICT DO NOTHING"),
    /** Deletes all shard counts but this one, those that are being filled or not reported yet, and those reported last. */
    forgetOthers: db.prepare<[number, number]>(
      `DELETE FROM shard_counts WHERE count IN (
         SELECT count FROM shard_counts WHERE count <> ? AND filled_to IS NULL
         ORDER BY (SELECT max(at) FROM presence_reports WHERE shard_count = count) DESC NULLS FIRST
         LIMIT -1 OFFSET ?)`,
    ),
    forgetUnused: db.prepare<[number]>(
      `DELETE FROM shard_counts WHERE filled_to IS NULL
       AND count NOT IN (SELECT shard_count FROM presence_reports WHERE at >= ?)`,
    ),
    /** Reads the last of the next guilds to list; undefined: fewer are left. */
    next: db
      .prepare<[GuildId, number], GuildId>('SELECT id FROM guilds WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?')
      .pluck(),
    list: db.prepare<[{ readonly count: number; readonly after: GuildId; readonly limit: number }]>(
      `INSERT INTO shard_guilds (shard_count, shard_id, guild_id)
       SELECT @count, ${SHARD_KEY} % @count, id FROM (SELECT id FROM guilds WHERE id > @after ORDER BY id LIMIT @limit)
       WHERE true ON CONFLICT DO NOTHING`,
    ),
    moveFilledTo: db.prepare<[GuildId | null, number]>('UPDATE shard_counts SET filled_to = ? WHERE count = ?'),
    page: db.prepare<[number, number, GuildId, number], ListedGuild>(
      `SELECT guild_id AS guildId, presence FROM (
         SELECT guild_id FROM shard_guilds WHERE shard_count = ? AND shard_id = ? AND guild_id > ?
         ORDER BY guild_id LIMIT ?)
       LEFT JOIN guilds ON id = guild_id ORDER BY guild_id`,
    ),
    /** Reads an unused shard count that still has a list. */
    unlisted: db
      .prepare<[], number>(
        `WITH RECURSIVE listed (count) AS (
         SELECT min(shard_count) FROM shard_guilds UNION
         SELECT (SELECT min(shard_count) FROM shard_guilds WHERE shard_count > count) FROM listed WHERE count IS NOT NULL)
       SELECT count FROM listed WHERE count IS NOT NULL AND count NOT IN (SELECT count FROM shard_counts) LIMIT 1`,
      )
      .pluck(),
    deleteListed: db.prepare<[number, number]>(
      `DELETE FROM shard_guilds WHERE (shard_count, shard_id, guild_id) IN (
         SELECT shard_count, shard_id, guild_id FROM shard_guilds WHERE shard_count = ? LIMIT ?)`,
    ),
  };
}

/** `id >> 22` in SQL; the migration of the triggers explains the formula. */
const SHARD_KEY =
  '((CAST(substr(id, 1, length(id) - 9) AS INTEGER) * 1953125 + (CAST(substr(id, -9) AS INTEGER) >> 9)) >> 13)';
