import { and, asc, eq, gte, inArray, lt, lte, not, or, sql } from 'drizzle-orm';
import { SliceSize } from '../background-slice.ts';
import { type ErasureCipher, rowOfErasureLine, rowOfRetention } from '../erasure/erasure-rows.ts';
import type { PrunedSlice, PruneLimits } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { NOTIFY_COMMIT } from './listener.ts';
import { changes, erasures, guilds, meta } from './schema.ts';
import { type Transaction, transact } from './transaction.ts';
import { addErasureRows, deleteGuilds, unknownErasures } from './write-erasures.ts';
import type { Writer } from './writer.ts';

/** Guilds that are erased at a time, under the lock of writers. */
const MAX_GUILDS = 10;

const MAX_REVISIONS = 10_000;

/** Key of the advisory lock of the process that runs retention: an arbitrary, unique number. */
const RETENTION_LOCK = 7_461_120_912;

/**
 * Deletes expired data, slice by slice. Rows are deleted without the lock of `meta`, so writers do not wait. The lock
 * is held briefly to raise `oldest_revision` before the rows below it are deleted, and to erase guilds whose history
 * was deleted. Only one process deletes at a time.
 */
export class Pruning {
  readonly #db: PostgresDatabase;
  readonly #writer: Pick<Writer, 'exclusively'>;
  readonly #cipher: ErasureCipher;
  readonly #size = new SliceSize();
  /**
   * First revision that this run has not deleted; undefined: the run has not begun. Queries start there, so that they
   * skip the newest changes of guilds, which stay, and rows that VACUUM has not removed yet.
   */
  #from: number | undefined;
  /** Expired revisions below `oldest_revision` that are not deleted yet. */
  #due: number[] = [];

  constructor(db: PostgresDatabase, writer: Pick<Writer, 'exclusively'>, cipher: ErasureCipher) {
    this.#db = db;
    this.#writer = writer;
    this.#cipher = cipher;
  }

  async slice(limits: PruneLimits): Promise<PrunedSlice> {
    try {
      const pruned = await this.#next(limits);
      if (pruned.isDone) this.#reset();
      return pruned;
    } catch (error) {
      this.#reset();
      throw error;
    }
  }

  #reset(): void {
    this.#from = undefined;
    this.#due = [];
  }

  async #next({ now, changesBefore, leftBefore }: PruneLimits): Promise<PrunedSlice> {
    this.#from ??= await this.#start();
    if (this.#due.length === 0) {
      this.#due = await this.#dueRevisions(this.#from, changesBefore);
      const end = this.#due.at(-1);
      if (end !== undefined) await this.#writer.exclusively((tx) => raiseOldestRevision(tx, end + 1));
    }
    const last = this.#due.splice(0, this.#size.rows).at(-1);
    if (last !== undefined) {
      const due = and(gte(changes.revision, this.#from), lte(changes.revision, last), not(IS_NEWEST));
      const deleted = await this.#runAlone((tx) => tx.delete(changes).where(due));
      if (deleted === undefined) return NOTHING_DUE;
      this.#from = last + 1;
      return { changes: deleted.rowCount ?? 0, guilds: 0, isDone: false };
    }
    const dueGuilds = await this.#db
      .select({ id: guilds.id })
      .from(guilds)
      .where(lt(guilds.leftAt, leftBefore))
      .orderBy(asc(guilds.leftAt))
      .limit(MAX_GUILDS);
    const ids = dueGuilds.map(({ id }) => id);
    if (ids.length > 0) {
      const isHistoryLeft = await this.#runAlone((tx) =>
        deleteHistory(tx, { ids, leftBefore, now, cipher: this.#cipher, rows: this.#size.rows }),
      );
      if (isHistoryLeft === undefined) return NOTHING_DUE;
      if (isHistoryLeft) return { changes: 0, guilds: 0, isDone: false };
      const erased = await this.#writer.exclusively((tx, revision) =>
        erase(tx, { ids, leftBefore, now, revision, cipher: this.#cipher }),
      );
      return { changes: 0, guilds: erased, isDone: false };
    }
    await this.#runAlone(forgetErasures);
    return NOTHING_DUE;
  }

  /**
   * Returns the first revision of a run. A run that ended early may have left changes below the oldest revision of the
   * log: at most as many as one query reads.
   */
  async #start(): Promise<number> {
    const { rows } = await this.#db.execute<{ start: string | null }>(sql`
      SELECT min(revision) AS start FROM (
        SELECT revision FROM ${changes} WHERE revision < ${OLDEST_REVISION} ORDER BY revision DESC LIMIT ${MAX_REVISIONS}
      ) AS below`);
    return Number(rows[0]?.start ?? 0);
  }

  /** Returns the oldest revisions of the log, for several slices, up to the first one that has not expired. */
  async #dueRevisions(from: number, before: number): Promise<number[]> {
    const rows = await this.#db
      .select({ revision: changes.revision, at: changes.at })
      .from(changes)
      .where(gte(changes.revision, from))
      .orderBy(asc(changes.revision))
      .limit(MAX_REVISIONS);
    const firstKept = rows.findIndex(({ at }) => at >= before);
    return (firstKept < 0 ? rows : rows.slice(0, firstKept)).map(({ revision }) => revision);
  }

  /**
   * Runs work in a transaction unless another process runs retention; undefined: one does. The commit does not wait for
   * the disk: after a crash the work is repeated.
   */
  #runAlone<T>(work: (tx: Transaction) => Promise<T>): Promise<T | undefined> {
    return transact(this.#db, 'write', async (tx) => {
      const { rows } = await tx.execute(
        sql`SELECT pg_try_advisory_xact_lock(${RETENTION_LOCK}) AS "isLocked", set_config('synchronous_commit', 'off', true)`,
      );
      if (rows[0]?.isLocked !== true) return undefined;
      const startedAt = performance.now();
      const result = await work(tx);
      this.#size.record(performance.now() - startedAt);
      return result;
    });
  }
}

const NOTHING_DUE: PrunedSlice = { changes: 0, guilds: 0, isDone: true };

/**
 * Before guilds are erased, the log was deleted below this revision. Queries about a guild start there, so that they
 * skip deleted history that VACUUM has not removed yet.
 */
const OLDEST_REVISION = sql`(SELECT oldest_revision FROM ${meta})`;

const IS_NEWEST = sql`EXISTS (
  SELECT FROM ${guilds} WHERE ${guilds.id} = ${changes.guildId} AND ${guilds.revision} = ${changes.revision})`;

/** Raises `oldest_revision`. It is never lowered: another process may have raised it further. */
async function raiseOldestRevision(tx: Transaction, revision: number): Promise<void> {
  await tx.update(meta).set({ oldestRevision: revision }).where(lt(meta.oldestRevision, revision));
}

interface Clearing extends Pick<Erasing, 'ids' | 'leftBefore' | 'now' | 'cipher'> {
  readonly rows: number;
}

/**
 * Deletes the oldest history of guilds that have expired, except for the newest change. The first deletion records an
 * erasure, so that the history is no longer read: the bot may return before the guild is erased. If another process has
 * erased some guilds since they were read, the log keeps the lines of the erasures.
 * @returns true if history is left
 */
async function deleteHistory(tx: Transaction, { ids, leftBefore, now: at, cipher, rows }: Clearing): Promise<boolean> {
  const { rows: cleared } = await tx.execute<{ id: string; newest: string; count: number }>(sql`
    WITH step AS (
        SELECT due.id, due.revision AS newest, oldest.revision FROM ${guilds} AS due CROSS JOIN LATERAL (
          SELECT revision FROM ${changes} WHERE guild_id = due.id
          AND revision >= least(due.revision, ${OLDEST_REVISION}) AND revision < due.revision
          ORDER BY revision LIMIT ${rows}) AS oldest
        WHERE due.id = ANY(${sql.param([...ids])}::text[]) AND due.left_at < ${leftBefore}
        LIMIT ${rows}),
      deleted AS (DELETE FROM ${changes} WHERE revision IN (SELECT revision FROM step))
    SELECT id, newest, count(*)::integer AS count FROM step GROUP BY id, newest`);
  if (cleared.length === 0) return false;
  const hidden = cleared.map(({ id, newest }) => rowOfRetention(id, { cipher, at, revision: Number(newest) }));
  const missing = await unknownErasures(tx, hidden);
  if (missing.length > 0) await addErasureRows(tx, missing);
  return cleared.reduce((sum, { count }) => sum + count, 0) === rows;
}

interface Erasing {
  readonly ids: readonly string[];
  readonly leftBefore: number;
  readonly now: number;
  readonly revision: number;
  readonly cipher: ErasureCipher;
}

/** Erases guilds that have expired, under the lock of `meta`. @returns number of erased guilds */
async function erase(tx: Transaction, { ids, leftBefore, now, revision, cipher }: Erasing): Promise<number> {
  const erased = await deleteGuilds(tx, ids, lt(guilds.leftAt, leftBefore));
  if (erased.length === 0) return 0;
  const erasedIds = erased.map(({ id }) => id).toSorted();
  const newest = erased.map((guild) => guild.revision);
  await tx
    .delete(changes)
    .where(
      and(
        inArray(changes.guildId, erasedIds),
        or(gte(changes.revision, OLDEST_REVISION), inArray(changes.revision, newest)),
      ),
    );
  const numbered = erasedIds.map((id, index) => ({ id, at: now, revision: revision + index + 1 }));
  await tx
    .insert(changes)
    .values(numbered.map(({ id, ...line }) => rowOfErasureLine(cipher.seal(id), { ...line, by: 'retention' })));
  await addErasureRows(
    tx,
    numbered.map(({ id, ...rest }) => rowOfRetention(id, { cipher, ...rest })),
  );
  await tx
    .update(meta)
    .set({ lastRevision: revision + erasedIds.length })
    .where(eq(meta.id, 1));
  await tx.execute(sql`SELECT ${NOTIFY_COMMIT}`);
  return erasedIds.length;
}

async function forgetErasures(tx: Transaction): Promise<void> {
  await tx.delete(erasures).where(and(eq(erasures.isRequested, false), lt(erasures.revision, OLDEST_REVISION)));
}
