import Database from 'better-sqlite3';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { StoreUnavailableError } from '../store.ts';
import type { SqliteDatabase } from './database.ts';

/** Waits for another process's lock to be released: some five seconds, without stopping this process. */
const untilUnlocked = retry(handleWhen(isLocked), {
  maxAttempts: 40,
  backoff: new ExponentialBackoff({ initialDelay: 5, maxDelay: 150 }),
});

/** How a transaction ends. */
export interface TransactionOptions<T> {
  /** Whether the commit waits for the disk; it does unless told otherwise. */
  readonly isSynced?: boolean;
  /** Called after the commit, in the same turn of the event loop. */
  readonly committed?: (result: T) => void;
}

/**
 * IMMEDIATE takes the write lock at once, so that nothing read inside can be out of date when it is written.
 */
export function transaction<T>(db: SqliteDatabase, work: () => T, options: TransactionOptions<T> = {}): Promise<T> {
  const { isSynced = true, committed } = options;
  return untilUnlocked.execute(() => {
    if (!isSynced) db.$client.pragma('synchronous = NORMAL');
    try {
      const result = answering(() => db.transaction(work, { behavior: 'immediate' }));
      committed?.(result);
      return result;
    } finally {
      if (!isSynced) db.$client.pragma('synchronous = FULL');
    }
  });
}

function isLocked(error: Error): boolean {
  return error.cause instanceof Database.SqliteError && error.cause.code.startsWith('SQLITE_BUSY');
}

/** What better-sqlite3 throws once the file is closed: a request outlasted the service. */
const CLOSED = /database connection is not open/;

/** @throws StoreUnavailableError for an error of SQLite's, and once the file is closed */
export function answering<T>(work: () => T): T {
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
