import { randomUUID } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { EarlierDatabaseError, makePrivate, makePrivateFolder, resolveFile } from '@guild-settings/runtime/sqlite-file';
import Database from 'better-sqlite3';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { StoreUnavailableError } from '../store.ts';
import { admitFile, MIGRATIONS, type NewDatabase, recordDatabaseId } from './admit-file.ts';
import * as schema from './schema.ts';

const OPEN_TIMEOUT_MS = 5_000;

/** Page cache. SQLite's default of 2 MB is less than the inner pages of a million guilds. */
const CACHE_KIB = 65_536;

/** Pages in the write-ahead log before a checkpoint: guilds throughout the file share its cost. */
export const CHECKPOINT_PAGES = 16_000;

export type SqliteDatabase = BetterSQLite3Database<typeof schema> & { readonly $client: Database.Database };

/**
 * Opens a database file, which is created if it does not exist, and migrates it to the newest schema. The file, and the
 * folders that are created for it, are accessible to their owner only.
 *
 * WAL with synchronous=FULL: a transaction is flushed to disk when its commit returns, and readers never wait for the
 * writer. Deleted rows are overwritten by zeros (`secure_delete`).
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 * @throws StoreUnavailableError naming the file and the reason
 * @throws EarlierDatabaseError for a file made by a version before 1.0.0
 */
export function openDatabase(path: string, newDatabase: NewDatabase = 'without-traces'): SqliteDatabase {
  try {
    const file = resolveFile(path);
    if (newDatabase !== 'never') makePrivateFolder(dirname(file));
    admitFile(file, newDatabase);
    return open(file);
  } catch (error) {
    throw error instanceof EarlierDatabaseError ? error : cannotOpen(path, error);
  }
}

function cannotOpen(path: string, error: unknown): StoreUnavailableError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailableError(`The database ${resolve(path)} cannot be opened: ${reason}`, { cause: error });
}

export function hasNewerSchema(db: SqliteDatabase): boolean {
  const known = Math.max(
    ...readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(({ folderMillis }) => folderMillis),
  );
  const applied = db.$client.prepare<[], number>('SELECT max(created_at) FROM __drizzle_migrations').pluck().get();
  return (applied ?? 0) > known;
}

/** Sets the length of the write-ahead log, in pages, at which a commit checkpoints it. */
export function checkpointInCommits(db: SqliteDatabase, pages: number): void {
  db.$client.pragma(`wal_autocheckpoint = ${pages}`);
}

function open(path: string): SqliteDatabase {
  makePrivate(path);
  const client = new Database(path, { timeout: OPEN_TIMEOUT_MS });
  try {
    client.pragma('journal_mode = WAL');
    client.pragma('synchronous = FULL');
    client.pragma('foreign_keys = ON');
    client.pragma('secure_delete = ON');
    client.pragma(`cache_size = -${CACHE_KIB}`);
    const db = drizzle(client, { schema });
    checkpointInCommits(db, CHECKPOINT_PAGES);
    migrate(db, { migrationsFolder: MIGRATIONS });
    db.insert(schema.meta)
      .values({ id: 1, databaseId: randomUUID(), lastRevision: 0, oldestRevision: 1 })
      .onConflictDoNothing()
      .run();
    recordDatabaseId(path, db.select().from(schema.meta).get()?.databaseId ?? '');
    // From here on `transaction` waits for locks: SQLite's own wait would block the event loop.
    client.pragma('busy_timeout = 0');
    return db;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Retries for about five seconds while another process holds the lock, without blocking the event loop. */
const retryLocked = retry(handleWhen(isLocked), {
  maxAttempts: 40,
  backoff: new ExponentialBackoff({ initialDelay: 5, maxDelay: 150 }),
});

export interface TransactionOptions<T> {
  readonly isSynced?: boolean;
  /** Called after the commit, before the event loop runs anything else. */
  readonly committed?: (result: T) => void;
}

/**
 * Runs work in a transaction. IMMEDIATE takes the write lock at once, so that data read inside is still current at the
 * commit.
 */
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

/**
 * By connection. Created once: better-sqlite3 and drizzle would create eight functions and a session per transaction.
 */
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

/** Message of better-sqlite3 for a closed file: a request outlasted the service. */
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
 * Returns a function that runs reads in a transaction which all reads of an event loop iteration share: SQLite then
 * takes and releases its lock once for all of them, which costs as much as reading a guild. Commits of this process end
 * the transaction, so that later reads include them. Commits of another process are visible from the next iteration on.
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
 * Ends the transaction of the reads of this iteration. Other transactions are synchronous, so none is open between two
 * calls. Since it has written nothing, a rollback ends it even if the file is damaged and SQLite refuses to commit.
 */
function endSharedRead(db: SqliteDatabase): void {
  if (db.$client.open && db.$client.inTransaction) boundariesOf(db).rollback.run();
}
