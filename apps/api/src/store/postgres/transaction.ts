import { randomUUID } from 'node:crypto';
import type { Cursor } from '@guild-settings/contract';
import { asc, DrizzleQueryError, eq, gt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { StoredGuild } from '../guild-store.ts';
import { epochMark, type GuildRow, guildOf } from '../rows.ts';
import { StoreUnavailableError } from '../store.ts';
import { type PostgresDatabase, requireDurable, SYNCHRONOUS_COMMIT } from './database.ts';
import { epochs, guilds, meta } from './schema.ts';

export type Transaction = NodePgDatabase & { readonly $client: { query(query: pg.QueryConfig): Promise<unknown> } };

const BEGIN = {
  snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED',
} as const;

/**
 * Sends COMMIT after the statements that were sent, without waiting for them. After a failed statement it rolls back.
 */
export type SendCommit = () => void;

interface Work<First, T> {
  /** Sends the first statement, in one round trip with BEGIN. It must not write: it also runs if BEGIN fails. */
  readonly first: (tx: Transaction) => PromiseLike<First>;
  /** Runs the rest, and rejects when one of its statements fails. The transaction is committed when it resolves. */
  readonly rest: (tx: Transaction, found: First, sendCommit: SendCommit) => Promise<T>;
}

/**
 * Runs work in a transaction on its own connection. A connection that failed is closed, because its state is unknown.
 * @throws StoreUnavailableError when the server did not respond; it is then unknown if a write was committed
 */
export function transact<T>(
  db: PostgresDatabase,
  kind: keyof typeof BEGIN,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return transactWith(db, kind, { first: async () => {}, rest: work });
}

export async function transactWith<First, T>(
  { $client: pool }: PostgresDatabase,
  kind: keyof typeof BEGIN,
  { first, rest }: Work<First, T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asStoreError(error);
  });
  let isBroken = false;
  let commit: Promise<unknown> | undefined;
  const sendCommit = () => {
    commit ??= client.query('COMMIT');
    // A failure of the commit is handled below. Until then an earlier statement may fail.
    commit.catch(() => {});
  };
  try {
    const tx = drizzle(client);
    const [, found] = await Promise.all([client.query(BEGIN[kind]), first(tx)]);
    const result = await rest(tx, found, sendCommit);
    sendCommit();
    await commit;
    return result;
  } catch (error) {
    const known = asStoreError(error);
    isBroken = known instanceof StoreUnavailableError;
    if (!isBroken) {
      await client.query('ROLLBACK').catch(() => {
        isBroken = true;
      });
    }
    throw known;
  } finally {
    client.release(isBroken);
  }
}

/** Classes and codes of errors that are temporary. */
const TRANSIENT = /^(08|25006|40|53|55P03|57|58)/;

/**
 * Returns a StoreUnavailableError for an error of that kind: no connection, a lost connection, a statement that timed
 * out, or a server that is starting, stopping, full or read-only. Returns other errors without drizzle's wrapper, whose
 * message contains the values of the statement.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function asStoreError(error: unknown): unknown {
  const cause = causeOf(error);
  if (cause instanceof StoreUnavailableError) return cause;
  if (cause instanceof pg.DatabaseError) {
    return TRANSIENT.test(cause.code ?? '') ? unavailable(cause.code ?? '', cause) : cause;
  }
  // pg throws plain errors for failures of the connection.
  const { code, message } = plain(cause);
  if (SYSTEM_CODE.test(code)) return unavailable(code, cause);
  return LOST.test(message) || /timeout/i.test(message) ? unavailable(message, cause) : cause;
}

/** Returns true if an error means that the connection was lost during a statement, so a retry may succeed. */
export function isConnectionLost(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof pg.DatabaseError) return /^(08|57P01|57P02)/.test(cause.code ?? '');
  const { code, message } = plain(cause);
  return SYSTEM_CODE.test(code) || LOST.test(message);
}

export async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** Codes of the system, and of certificates that are not accepted. */
const SYSTEM_CODE = /^(E[A-Z]+|ERR_TLS_\w+|CERT_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|UNABLE_TO_\w+)$/;
const LOST = /terminated|not queryable|ended/i;

const causeOf = (error: unknown) => (error instanceof DrizzleQueryError ? error.cause : error);

function plain(cause: unknown): { readonly code: string; readonly message: string } {
  if (!(cause instanceof Error)) return { code: '', message: '' };
  return { code: 'code' in cause ? String(cause.code) : '', message: cause.message };
}

function unavailable(reason: string, cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError(`PostgreSQL: ${reason}`, { cause });
}

/**
 * Identifies this run of the server on these tables. Every connected process computes the same value. It differs after
 * a database was restored from a copy, because the server was restarted, or the tables were created again.
 */
const SERVER_RUN = sql<string>`concat_ws('/',
  extract(epoch FROM pg_postmaster_start_time()),
  (SELECT oid FROM pg_database WHERE datname = current_database()),
  pg_relation_filenode('meta'))`;

const PRESENT_EPOCH = sql<
  string | null
>`(SELECT ${epochs.epoch} FROM ${epochs} WHERE ${epochs.serverRun} = ${SERVER_RUN})`;

/** Returns the id of the epoch in which a revision was made; null: not kept. */
export function epochOf(revision: SQLWrapper): SQL<string | null> {
  return sql<string | null>`(
    SELECT ${epochs.epoch} FROM ${epochs} WHERE ${epochs.since} < ${revision} ORDER BY ${epochs.number} DESC LIMIT 1)`;
}

export const GUILD_AND_EPOCHS = {
  guild: guilds,
  record: epochOf(guilds.revision),
  access: epochOf(guilds.accessRevision),
};

export function storedGuildOf({ guild, record, access }: SelectedGuild): StoredGuild {
  return guildOf(guild, {
    record: guild.revision === 0 ? '' : epochMark(record),
    access: guild.accessRevision === null ? '' : epochMark(access),
  });
}

interface SelectedGuild {
  readonly guild: GuildRow;
  readonly record: string | null;
  readonly access: string | null;
}

/** Returns the epoch of this run of the server; undefined: none has begun yet. */
export async function readEpoch(tx: Transaction): Promise<string | undefined> {
  const [current] = await tx.select().from(epochs).where(eq(epochs.serverRun, SERVER_RUN));
  return current?.epoch;
}

/** Locks the one row of `meta` until the transaction ends, so that no other transaction writes meanwhile. */
export async function lockMeta(tx: Transaction): Promise<LockedMeta> {
  return checkMeta(tx, await selectMeta(tx));
}

/** Sends the statement of {@link lockMeta}, which also reads if the commit will wait for the disk. */
export async function selectMeta(tx: Transaction): Promise<readonly SelectedMeta[]> {
  return tx
    .select({
      lastRevision: meta.lastRevision,
      oldestRevision: meta.oldestRevision,
      epoch: PRESENT_EPOCH,
      synchronousCommit: SYNCHRONOUS_COMMIT,
    })
    .from(meta)
    .for('update');
}

/**
 * Checks the result of {@link selectMeta}. The first write transaction of a run of the server begins an epoch.
 * @throws StoreUnavailableError when the commit would not wait for the disk
 */
export async function checkMeta(tx: Transaction, [bounds]: readonly SelectedMeta[]): Promise<LockedMeta> {
  if (bounds === undefined) throw new StoreUnavailableError('Expected one row in the table meta, found none');
  requireDurable(bounds.synchronousCommit);
  // The statement's snapshot may be older than its wait for the lock.
  const epoch = bounds.epoch ?? (await readEpoch(tx)) ?? (await beginEpoch(tx, bounds.lastRevision));
  return { ...bounds, epoch: epochMark(epoch) };
}

async function beginEpoch(tx: Transaction, since: number): Promise<string> {
  const epoch = randomUUID();
  await tx.insert(epochs).values({ epoch, since, serverRun: SERVER_RUN });
  return epoch;
}

interface SelectedMeta extends Omit<LockedMeta, 'epoch'> {
  readonly epoch: string | null;
  readonly synchronousCommit: string;
}

/**
 * The newest revision, and the oldest one from which the change log is complete. They do not change while `meta` is
 * locked.
 */
export interface LockedMeta {
  readonly lastRevision: number;
  readonly oldestRevision: number;
  /** The mark of the present epoch. */
  readonly epoch: string;
}

/** Returns true if this database contains everything up to a cursor, and the change log still reaches back to it. */
export async function canResume(tx: Transaction, { epoch, revision }: Cursor): Promise<boolean> {
  const [bounds] = await tx.select({ lastRevision: meta.lastRevision, oldestRevision: meta.oldestRevision }).from(meta);
  const [begun] = await tx.select().from(epochs).where(eq(epochs.epoch, epoch));
  if (bounds === undefined || begun === undefined) return false;
  const later = tx.select().from(epochs).where(gt(epochs.number, begun.number));
  const [next] = await later.orderBy(asc(epochs.number)).limit(1);
  return revision <= (next?.since ?? bounds.lastRevision) && revision >= bounds.oldestRevision - 1;
}
