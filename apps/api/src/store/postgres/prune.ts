import { asc, eq, gte, inArray, lt, lte, sql } from 'drizzle-orm';
import { SliceSize } from '../background-slice.ts';
import { SHARD_COUNT_UNUSED_MS } from '../shard-counts.ts';
import type { PrunedSlice, PruneLimits } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { NEWS } from './listener.ts';
import { changes, guilds, meta } from './schema.ts';
import { tidyShardGuilds } from './shard-guilds.ts';
import { type Transaction, transact } from './transaction.ts';
import type { Writer } from './writer.ts';

/** The most guilds erased under the lock that writers wait for. */
const GUILDS_AT_ONCE = 50;

/** Revisions of the log that are read at once. */
const REVISIONS_AT_ONCE = 10_000;

/** Any number that nothing else uses: held by the process whose retention runs. */
const RETENTION_LOCK = 7_461_120_912;

/**
 * Throws away what is due, slice by slice. Rows are deleted without the lock of `meta`, so writers do not wait for it; the
 * lock is taken for moments only, to move `oldest_revision` before the rows below it go, and to erase guilds whose history
 * has gone. Processes take turns: where another one is at it, this one has nothing to do.
 */
export class Pruning {
  readonly #db: PostgresDatabase;
  readonly #writer: Pick<Writer, 'exclusively'>;
  readonly #size = new SliceSize();
  /** Below this revision this run deleted the log: reading from there skips what VACUUM has not removed yet. */
  #from = 0;
  /** Revisions that are old, below `oldest_revision` and not deleted yet. */
  #old: number[] = [];

  constructor(db: PostgresDatabase, writer: Pick<Writer, 'exclusively'>) {
    this.#db = db;
    this.#writer = writer;
  }

  async slice(limits: PruneLimits): Promise<PrunedSlice> {
    try {
      const pruned = await this.#next(limits);
      if (pruned.isDone) this.#beginAnew();
      return pruned;
    } catch (error) {
      this.#beginAnew();
      throw error;
    }
  }

  #beginAnew(): void {
    this.#from = 0;
    this.#old = [];
  }

  async #next({ now, changesBefore, leftBefore }: PruneLimits): Promise<PrunedSlice> {
    if (this.#old.length === 0) {
      this.#old = await this.#oldRevisions(changesBefore);
      const end = this.#old.at(-1);
      if (end !== undefined) await this.#writer.exclusively((tx) => moveOldestRevision(tx, end + 1));
    }
    const last = this.#old.splice(0, this.#size.rows).at(-1);
    if (last !== undefined) {
      const deleted = await this.#alone((tx) => tx.delete(changes).where(lte(changes.revision, last)));
      if (deleted === undefined) return NOTHING_LEFT;
      this.#from = last + 1;
      return { changes: deleted.rowCount ?? 0, guilds: 0, isDone: false };
    }
    const due = await this.#db
      .select({ id: guilds.id })
      .from(guilds)
      .where(lt(guilds.leftAt, leftBefore))
      .orderBy(asc(guilds.leftAt))
      .limit(GUILDS_AT_ONCE);
    const ids = due.map(({ id }) => id);
    if (ids.length > 0) {
      const isHistoryLeft = await this.#alone((tx) => deleteHistory(tx, ids, leftBefore, this.#size.rows));
      if (isHistoryLeft === undefined) return NOTHING_LEFT;
      if (isHistoryLeft) return { changes: 0, guilds: 0, isDone: false };
      const erased = await this.#writer.exclusively((tx, revision) => erase(tx, { ids, leftBefore, now, revision }));
      return { changes: 0, guilds: erased, isDone: false };
    }
    const isMore = await this.#alone((tx) => tidyShardGuilds(tx, now - SHARD_COUNT_UNUSED_MS, this.#size.rows));
    return { changes: 0, guilds: 0, isDone: isMore !== true };
  }

  /** Returns the log's oldest revisions, of some slices, up to the first one that is still young. */
  async #oldRevisions(before: number): Promise<number[]> {
    const rows = await this.#db
      .select({ revision: changes.revision, at: changes.at })
      .from(changes)
      .where(gte(changes.revision, this.#from))
      .orderBy(asc(changes.revision))
      .limit(REVISIONS_AT_ONCE);
    const young = rows.findIndex(({ at }) => at >= before);
    return (young < 0 ? rows : rows.slice(0, young)).map(({ revision }) => revision);
  }

  /**
   * Works in a transaction unless another process's retention does. It does not wait for the disk: what a crash undoes is
   * done again. undefined: another process is at it.
   */
  #alone<T>(work: (tx: Transaction) => Promise<T>): Promise<T | undefined> {
    return transact(this.#db, 'write', async (tx) => {
      const { rows } = await tx.execute(
        sql`SELECT pg_try_advisory_xact_lock(${RETENTION_LOCK}) AS taken, set_config('synchronous_commit', 'off', true)`,
      );
      if (rows[0]?.taken !== true) return undefined;
      const startedAt = performance.now();
      const result = await work(tx);
      this.#size.took(performance.now() - startedAt);
      return result;
    });
  }
}

const NOTHING_LEFT: PrunedSlice = { changes: 0, guilds: 0, isDone: true };

/** It never goes back: another process may have come further. */
async function moveOldestRevision(tx: Transaction, revision: number): Promise<void> {
  await tx.update(meta).set({ oldestRevision: revision }).where(lt(meta.oldestRevision, revision));
}

/**
 * Deletes the oldest history of those of the guilds that are still due. Another process may have erased some since they were
 * read: the lines that say so stay. @returns whether some is left
 */
async function deleteHistory(
  tx: Transaction,
  ids: readonly string[],
  leftBefore: number,
  rows: number,
): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    DELETE FROM ${changes} WHERE revision IN (
      SELECT oldest.revision FROM ${guilds} AS due CROSS JOIN LATERAL (
        SELECT revision FROM ${changes} WHERE guild_id = due.id AND after IS NOT NULL
        ORDER BY revision LIMIT ${rows}) AS oldest
      WHERE due.id = ANY(${sql.param([...ids])}::text[]) AND due.left_at < ${leftBefore}
      LIMIT ${rows})`);
  return rowCount === rows;
}

interface Erasing {
  readonly ids: readonly string[];
  readonly leftBefore: number;
  readonly now: number;
  readonly revision: number;
}

/** Erases those of the guilds that the bot has not come back to, under the lock of `meta`. @returns how many */
async function erase(tx: Transaction, { ids, leftBefore, now, revision }: Erasing): Promise<number> {
  const erased = await tx
    .delete(guilds)
    .where(sql`${inArray(guilds.id, [...ids])} AND ${lt(guilds.leftAt, leftBefore)}`)
    .returning({ id: guilds.id });
  if (erased.length === 0) return 0;
  const gone = erased.map(({ id }) => id).toSorted();
  await tx.delete(changes).where(inArray(changes.guildId, gone));
  const line = { at: now, actorKind: 'platform', actorId: 'retention', origin: 'platform', before: {} } as const;
  await tx
    .insert(changes)
    .values(gone.map((guildId, index) => ({ ...line, guildId, after: null, revision: revision + index + 1 })));
  await tx
    .update(meta)
    .set({ lastRevision: revision + gone.length })
    .where(eq(meta.id, 1));
  await tx.execute(sql`SELECT ${NEWS}`);
  return gone.length;
}
