import Database from 'better-sqlite3';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { StoreUnavailableError } from '../store.ts';
import type { SqliteDatabase } from './database.ts';

/** Retries for some five seconds while another process holds the lock, without blocking the event loop. */
const retryLocked = retry(handleWhen(isLocked), {
  maxAttempts: 40,
  backoff: new ExponentialBackoff({ initialDelay: 5, maxDelay: 150 }),
});

export interface TransactionOptions<T> {
  readonly isSynced?: boolean;
  /** Called after the commit, before the event loop runs anything else. */
  readonly committed?: (result: T) => void;
}

/** Runs work in a transaction. IMMEDIATE takes the write lock at once, so that what is read inside is current at the commit. */
export function transaction<T>(db: SqliteDatabase, work: () => T, options: TransactionOptions<T> = {}): Promise<T> {
  const { isSynced = true, committed } = options;
  return retryLocked.execute(() => {
    endSharedRead(db);
    if (!isSynced) db.$client.pragma('synchronous = NORMAL');
    try {
      const result = withStoreErrors(() => boundariesOf(db).immediate(work));
      committed?.(result);
      return result;
    } finally {
      if (!isSynced) db.$client.pragma('synchronous = FULL');
    }
  });
}

interface Boundaries {
  readonly immediate: <T>(work: () => T) => T;
  readonly begin: Database.Statement<[]>;
  readonly rollback: Database.Statement<[]>;
}

/** By connection. Made once: for each transaction, better-sqlite3 and drizzle would make eight functions and a session. */
const boundaries = new WeakMap<SqliteDatabase, Boundaries>();

function boundariesOf(db: SqliteDatabase): Boundaries {
  const known = boundaries.get(db);
  if (known !== undefined) return known;
  const { immediate } = db.$client.transaction((work: () => unknown) => work());
  const made = {
    immediate: <T>(work: () => T) => immediate(work) as T,
    begin: db.$client.prepare<[]>('BEGIN'),
    rollback: db.$client.prepare<[]>('ROLLBACK'),
  };
  boundaries.set(db, made);
  return made;
}

function isLocked(error: Error): boolean {
  return error.cause instanceof Database.SqliteError && error.cause.code.startsWith('SQLITE_BUSY');
}

/** Message of better-sqlite3 for a file that is closed: a request lasted longer than the service. */
const CLOSED = /database connection is not open/;

export function withStoreErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Database.SqliteError) {
      throw new StoreUnavailableError(`SQLite: ${error.code}`, { cause: error });
    }
    if (error instanceof TypeError && CLOSED.test(error.message)) {
      throw new StoreUnavailableError('SQLite: the file is closed', { cause: error });
    }
    throw error;
  }
}

/**
 * Returns a function that runs a read in the transaction which all reads of one event loop iteration share: SQLite takes and
 * releases its lock once for all of them, which costs as much as reading a guild. Own commits end the transaction, so that
 * each read sees them. What another process commits is seen from the next iteration on.
 */
export function shareReads<Key, Value>(db: SqliteDatabase, read: (key: Key) => Value): (key: Key) => Value {
  const { begin } = boundariesOf(db);
  const end = () => endSharedRead(db);
  return (key) => {
    if (!db.$client.inTransaction) {
      begin.run();
      setImmediate(end);
    }
    return read(key);
  };
}

/**
 * Ends the transaction of the reads of this iteration. Other transactions are synchronous: none is open between two calls. It has
 * written nothing, so a rollback ends it as well where the file is damaged and SQLite refuses to commit.
 */
function endSharedRead(db: SqliteDatabase): void {
  if (db.$client.open && db.$client.inTransaction) boundariesOf(db).rollback.run();
}
