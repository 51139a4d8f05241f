import type { GuildId, Shard } from '@guild-settings/contract';
import { sql } from 'drizzle-orm';
import { runSlices, SliceSize } from '../background-slice.ts';
import { MAX_SHARD_COUNTS } from '../shard-counts.ts';
import type { Presence } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { asStoreError } from './failures.ts';
import { type Transaction, transact } from './transaction.ts';
import type { Writer } from './writer.ts';

/** Guilds read by one statement. */
const PAGE_GUILDS = 5_000;

/** Lists the guilds of a shard from `shard_guilds`, which it fills for a shard count that was not in use before. */
export class ShardGuilds {
  readonly #db: PostgresDatabase;
  readonly #writer: Pick<Writer, 'exclusively'>;
  readonly #filling = new Map<number, Promise<void>>();

  constructor(db: PostgresDatabase, writer: Pick<Writer, 'exclusively'>) {
    this.#db = db;
    this.#writer = writer;
  }

  /** Returns the ids of a shard's guilds that the bot has not left. */
  async notLeft({ id, count }: Shard): Promise<GuildId[]> {
    for (;;) {
      await this.#ensureFilled(count);
      const found: GuildId[] = [];
      for (let after: GuildId | undefined = ''; after !== undefined; ) {
        const page = await this.#page({ id, count }, after);
        for (const { guild_id, presence } of page) if (presence !== null && presence !== 'left') found.push(guild_id);
        after = page.length < PAGE_GUILDS ? undefined : page.at(-1)?.guild_id;
      }
      // The list may have been given up for another shard count while it was read.
      if (await this.#isFilled(count)) return found;
    }
  }

  async #page({ id, count }: Shard, after: GuildId) {
    const { rows } = await this.#query<{ guild_id: GuildId; presence: Presence | null }>(
      `SELECT guild_id, presence FROM (
         SELECT guild_id FROM shard_guilds WHERE shard_count = $1 AND shard_id = $2 AND guild_id > $3
         ORDER BY guild_id LIMIT $4) AS listed
       LEFT JOIN guilds ON guilds.id = guild_id ORDER BY guild_id`,
      [count, id, after, PAGE_GUILDS],
    );
    return rows;
  }

  async #isFilled(count: number): Promise<boolean> {
    const { rows } = await this.#query('SELECT 1 FROM shard_counts WHERE count = $1 AND filled_to IS NULL', [count]);
    return rows.length > 0;
  }

  async #query<Row extends Record<string, unknown>>(statement: string, values: readonly unknown[]) {
    try {
      return await this.#db.$client.query<Row>(statement, [...values]);
    } catch (error) {
      throw asStoreError(error);
    }
  }

  async #ensureFilled(count: number): Promise<void> {
    if (await this.#isFilled(count)) return;
    const filling = this.#filling.get(count) ?? this.#fill(count).finally(() => this.#filling.delete(count));
    this.#filling.set(count, filling);
    await filling;
  }

  async #fill(count: number): Promise<void> {
    // Under the lock that writers take: a guild is either inserted before and found below, or listed by the trigger.
    await this.#writer.exclusively((tx) => addShardCount(tx, count));
    const size = new SliceSize();
    await runSlices(async () => {
      const startedAt = performance.now();
      const isMore = await transact(this.#db, 'write', (tx) => fillSlice(tx, count, size.rows));
      size.took(performance.now() - startedAt);
      return isMore;
    });
  }
}

/**
 * Adds a shard count, in the place of the one that was reported the longest ago where there are too many. Those that are being
 * filled, or about to be reported, stay: two that are new at once would forget each other for ever.
 */
async function addShardCount(tx: Transaction, count: number): Promise<void> {
  await tx.execute(sql`INSERT INTO shard_counts (count, filled_to) VALUES (${count}, '') ON CONFLICT DO NOTHING`);
  await tx.execute(sql`
    DELETE FROM shard_counts WHERE count IN (
      SELECT count FROM shard_counts WHERE count <> ${count} AND filled_to IS NULL
      ORDER BY (SELECT max(at) FROM presence_reports WHERE shard_count = count) DESC NULLS FIRST
      OFFSET ${MAX_SHARD_COUNTS - 1})`);
}

/** Lists the next guilds of a shard count; processes that do so at once take turns. @returns whether some are left */
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

/** Deletes some of the lists of shard counts that are not in use. @returns whether some are left */
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

/** `id >> 22` in SQL; the migration with the trigger says why it is written so. */
const SHARD_KEY = sql.raw('((left(id, -9)::bigint * 1953125 + (right(id, 9)::bigint >> 9)) >> 13)');
