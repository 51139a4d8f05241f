import type { GuildId } from '@guild-settings/contract';
import { sql } from 'drizzle-orm';
import { runSlices, SliceSize } from '../background-slice.ts';
import { MAX_SHARD_COUNTS } from '../shard-counts.ts';
import type { ListedGuild, ShardLists } from '../shard-guilds.ts';
import type { PostgresDatabase } from './database.ts';
import { withStoreErrors } from './failures.ts';
import { type Transaction, transact } from './transaction.ts';
import type { Writer } from './writer.ts';

/** Guilds that one statement reads. */
const PAGE_GUILDS = 5_000;

/** Opens the lists of guilds by shard of a PostgreSQL database. */
export function openShardLists(db: PostgresDatabase, writer: Pick<Writer, 'exclusively'>): ShardLists {
  return {
    async page({ id, count }, after) {
      const { rows: guilds } = await withStoreErrors(() =>
        db.$client.query<ListedGuild>(
          `SELECT guild_id AS "guildId", presence FROM (
             SELECT guild_id FROM shard_guilds WHERE shard_count = $1 AND shard_id = $2 AND guild_id > $3
             ORDER BY guild_id LIMIT $4) AS listed
           LEFT JOIN guilds ON guilds.id = guild_id ORDER BY guild_id`,
          [count, id, after, PAGE_GUILDS],
        ),
      );
      return { guilds, isLast: guilds.length < PAGE_GUILDS };
    },

    async isFilled(count) {
      const { rows } = await withStoreErrors(() =>
        db.$client.query('SELECT 1 FROM shard_counts WHERE count = $1 AND filled_to IS NULL', [count]),
      );
      return rows.length > 0;
    },

    async fill(count) {
      // Under the lock of writers: a guild is either inserted before and found below, or listed by the trigger.
      await writer.exclusively((tx) => addShardCount(tx, count));
      const size = new SliceSize();
      await runSlices(async () => {
        const startedAt = performance.now();
        const isMore = await transact(db, 'write', (tx) => fillSlice(tx, count, size.rows));
        size.record(performance.now() - startedAt);
        return isMore;
      });
    },
  };
}

/**
 * Adds a shard count. Where there are too many, it replaces the one whose last report is the oldest. Those that are being
 * filled, or were not reported yet, stay: two new ones would otherwise delete each other again and again.
 */
async function addShardCount(tx: Transaction, count: number): Promise<void> {
  await tx.execute(sql`INSERT INTO shard_counts (count, filled_to) VALUES (${count}, '') ON CONFLICT DO NOTHING`);
  await tx.execute(sql`
    DELETE FROM shard_counts WHERE count IN (
      SELECT count FROM shard_counts WHERE count <> ${count} AND filled_to IS NULL
      ORDER BY (SELECT max(at) FROM presence_reports WHERE shard_count = count) DESC NULLS FIRST
      OFFSET ${MAX_SHARD_COUNTS - 1})`);
}

/** Lists the next guilds for a shard count. Locks it against other processes. @returns whether some are left */
async function fillSlice(tx: Transaction, count: number, rows: number): Promise<boolean> {
  const state = await tx.execute<{ filled_to: GuildId | null }>(
    sql`SELECT filled_to FROM shard_counts WHERE count = ${count} FOR UPDATE`,
  );
  const filledTo = state.rows[0]?.filled_to ?? null;
  if (filledTo === null) return false;
  const { rows: listed } = await tx.execute<{ last: GuildId | null; n: number }>(sql`
    WITH next AS (SELECT id FROM guilds WHERE id > ${filledTo} ORDER BY id LIMIT ${rows}),
      listed AS (
        INSERT INTO shard_guilds (shard_count, shard_id, guild_id)
        SELECT ${count}::integer, ${SHARD_KEY} % ${count}::integer, id FROM next
        ON CONFLICT DO NOTHING
      )
    SELECT max(id) AS last, count(*)::integer AS n FROM next`);
  const isMore = listed[0]?.n === rows;
  const reached = isMore ? (listed[0]?.last ?? null) : null;
  await tx.execute(sql`UPDATE shard_counts SET filled_to = ${reached} WHERE count = ${count}`);
  return isMore;
}

/** Deletes a slice of the lists of unused shard counts. @returns whether some are left */
export async function tidyShardGuilds(tx: Transaction, unusedSince: number, rows: number): Promise<boolean> {
  await tx.execute(sql`
    DELETE FROM shard_counts WHERE filled_to IS NULL
    AND count NOT IN (SELECT shard_count FROM presence_reports WHERE at >= ${unusedSince})`);
  const { rows: left } = await tx.execute<{ count: number }>(sql`
    WITH RECURSIVE listed (count) AS (
      SELECT min(shard_count) FROM shard_guilds UNION
      SELECT (SELECT min(shard_count) FROM shard_guilds WHERE shard_count > count) FROM listed WHERE count IS NOT NULL)
    SELECT count FROM listed WHERE count IS NOT NULL AND count NOT IN (SELECT count FROM shard_counts) LIMIT 1`);
  const count = left[0]?.count;
  if (count === undefined) return false;
  await tx.execute(sql`
    DELETE FROM shard_guilds WHERE (shard_count, shard_id, guild_id) IN (
      SELECT shard_count, shard_id, guild_id FROM shard_guilds WHERE shard_count = ${count} LIMIT ${rows})`);
  return true;
}

/** `id >> 22` in SQL; the migration of the trigger explains the formula. */
const SHARD_KEY = sql.raw('((left(id, -9)::bigint * 1953125 + (right(id, 9)::bigint >> 9)) >> 13)');
