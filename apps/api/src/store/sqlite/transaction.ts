import Database from 'better-sqlite3';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { StoreUnavailableError } from '../store.ts';
import type { SqliteDatabase } from './database.ts';

/** Retries for some five seconds while another process holds the lock, without blocking the event loop. */
const retryLocked = retry(handleWhen(isLocked), {
  maxAttempts: 40,
  backoff: new ExponentialBackoff({ initialDelay: 5, maxDelay: 150 }),
});

/** Options of the commit. */
export interface TransactionOptions<T> {
  /** Whether the commit waits for the disk. True unless given. */
  readonly isSynced?: boolean;
  /** Called after the commit, before the event loop runs anything else. */
  readonly committed?: (result: T) => void;
}

/** Runs work in a transaction. IMMEDIATE takes the write lock at once, so that what is read inside is current at the commit. */
export function transaction<T>(db: SqliteDatabase, work: () => T, options: TransactionOptions<T> = {}): Promise<T> {
  const { isSynced = true, committed } = options;
  return retryLocked.execute(() => {
    if (!isSynced) db.$client.pragma('synchronous = NORMAL');
    try {
      const result = withStoreErrors(() => db.transaction(work, { behavior: 'immediate' }));
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

/** Message of better-sqlite3 for a file that is closed: a request lasted longer than the service. */
const CLOSED = /database connection is not open/;

/** Runs work. @throws StoreUnavailableError for an error of SQLite's, and once the file is closed */
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
