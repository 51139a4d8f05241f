import { randomUUID } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { EarlierDatabaseError, makePrivate, makePrivateFolder, resolveFile } from '@guild-settings/runtime/sqlite-file';
import Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { StoreUnavailableError } from '../store.ts';
import { admitFile, type NewDatabase } from './admit-file.ts';
import { recordDatabaseId } from './database-id.ts';
import { MIGRATIONS } from './migrations.ts';
import * as schema from './schema.ts';

const OPEN_TIMEOUT_MS = 5_000;

/** Page cache. SQLite's default of 2 MB is less than the inner pages of a million guilds. */
const CACHE_KIB = 65_536;

/** Pages in the write-ahead log before a checkpoint: changes of guilds all over the file share its cost. */
export const CHECKPOINT_PAGES = 16_000;

export type SqliteDatabase = BetterSQLite3Database<typeof schema> & { readonly $client: Database.Database };

/**
 * Opens a database file, which is created if it does not exist, and migrates it to the newest schema. The file, and the
 * folders that are created for it, are accessible to their owner only.
 *
 * WAL with synchronous=FULL: a transaction is flushed to the disk when its commit returns, and readers never wait for the
 * writer.
 * Deleted rows are overwritten by zeros (`secure_delete`).
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 * @throws StoreUnavailableError naming the file and the reason
 * @throws EarlierDatabaseError for a file that a version before 1.0.0 has made
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
