import { setImmediate } from 'node:timers/promises';
import type { GuildId, Shard } from '@guild-settings/contract';
import { repeatForSlice, runSlices } from '../background-slice.ts';
import { MAX_SHARD_COUNTS } from '../shard-counts.ts';
import type { Presence } from '../store.ts';
import type { BackgroundWrites } from './background-writes.ts';
import type { SqliteDatabase } from './database.ts';
import { answering } from './transaction.ts';

/** Guilds listed by one step, and read by one statement. */
const STEP_GUILDS = 100;
const PAGE_GUILDS = 500;

/** Lists the guilds of a shard from `shard_guilds`, which it fills for a shard count that was not in use before. */
export class ShardGuilds {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #background: BackgroundWrites;
  readonly #filling = new Map<number, Promise<void>>();

  constructor(db: SqliteDatabase, background: BackgroundWrites) {
    this.#statements = prepare(db);
    this.#background = background;
  }

  /** Returns the ids of a shard's guilds that the bot has not left. */
  async notLeft({ id, count }: Shard): Promise<GuildId[]> {
    for (;;) {
      await this.#ensureFilled(count);
      const found: GuildId[] = [];
      for (let after: GuildId | undefined = ''; after !== undefined; await setImmediate()) {
        const from: GuildId = after;
        const page = answering(() => this.#statements.page.all(count, id, from, PAGE_GUILDS));
        for (const { guildId, presence } of page) if (presence !== null && presence !== 'left') found.push(guildId);
        after = page.length < PAGE_GUILDS ? undefined : page.at(-1)?.guildId;
      }
      // The list may have been given up for another shard count while it was read.
      if (this.#isFilled(count)) return found;
    }
  }

  /** Deletes a slice of the lists of shard counts that are not in use. To be called in a transaction. */
  tidy(unusedSince: number): boolean {
    const { forgetUnused, unlisted, deleteListed } = this.#statements;
    forgetUnused.run(unusedSince);
    return repeatForSlice(() => {
      const count = unlisted.get();
      if (count !== undefined) deleteListed.run(count, STEP_GUILDS);
      return count !== undefined;
    });
  }

  #isFilled(count: number): boolean {
    return answering(() => this.#statements.state.get(count))?.filledTo === null;
  }

  async #ensureFilled(count: number): Promise<void> {
    if (this.#isFilled(count)) return;
    const filling = this.#filling.get(count) ?? this.#fill(count).finally(() => this.#filling.delete(count));
    this.#filling.set(count, filling);
    await filling;
  }

  async #fill(count: number): Promise<void> {
    const { add, forgetOthers, state, next, list, moveFilledTo } = this.#statements;
    await runSlices(() =>
      this.#background.write(() => {
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
      }),
    );
  }
}

function prepare({ $client: db }: SqliteDatabase) {
  return {
    state: db.prepare<[number], { filledTo: GuildId | null }>(
      'SELECT filled_to AS filledTo FROM shard_counts WHERE count = ?',
    ),
    add: db.prepare<[number]>("INSERT INTO shard_counts (count, filled_to) VALUES (?, '') ON CONFLICT DO NOTHING"),
    /** Forgets all shard counts but one, those that are being filled or about to be reported, and those reported last. */
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
    /** The last of the next guilds to list; undefined: fewer are left. */
    next: db
      .prepare<[GuildId, number], GuildId>('SELECT id FROM guilds WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?')
      .pluck(),
    list: db.prepare<[{ readonly count: number; readonly after: GuildId; readonly limit: number }]>(
      `INSERT INTO shard_guilds (shard_count, shard_id, guild_id)
       SELECT @count, ${SHARD_KEY} % @count, id FROM (SELECT id FROM guilds WHERE id > @after ORDER BY id LIMIT @limit)
       WHERE true ON CONFLICT DO NOTHING`,
    ),
    moveFilledTo: db.prepare<[GuildId | null, number]>('UPDATE shard_counts SET filled_to = ? WHERE count = ?'),
    page: db.prepare<[number, number, GuildId, number], { guildId: GuildId; presence: Presence | null }>(
      `SELECT guild_id AS guildId, presence FROM (
         SELECT guild_id FROM shard_guilds WHERE shard_count = ? AND shard_id = ? AND guild_id > ?
         ORDER BY guild_id LIMIT ?)
       LEFT JOIN guilds ON id = guild_id ORDER BY guild_id`,
    ),
    /** A shard count whose list is left over. */
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

/** `id >> 22` in SQL; the migration with the triggers says why it is written so. */
const SHARD_KEY =
  '((CAST(substr(id, 1, length(id) - 9) AS INTEGER) * 1953125 + (CAST(substr(id, -9) AS INTEGER) >> 9)) >> 13)';
