import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { StoreUnavailableError } from '../store.ts';
import { requireReadable } from './migrations.ts';

export type FileContent =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'begun' }
  | { readonly kind: 'database'; readonly id: string }
  | { readonly kind: 'foreign'; readonly tables: readonly string[] };

const OWN_TABLES = ['guilds', 'changes', 'meta'];

/** Drizzle's table of migrations, which is created before the first migration runs. */
const MIGRATIONS_TABLE = '__drizzle_migrations';

/** Bytes of the smallest database. SQLite takes a shorter file for an empty one, and overwrites it. */
const SMALLEST_DATABASE_BYTES = 512;

/** Bytes of the largest database that is checked before a left -wal is written into it: that takes about a second. */
const MAX_CHECKED_BYTES = 256 * 1_024 * 1_024;

const LOCK_TIMEOUT_MS = 5_000;

/**
 * Reads the content of a file without changing it: a `-wal` that belongs to another database is not applied to the file.
 * @throws StoreUnavailableError when it is a folder, is this service's database and lost the row about itself, or is damaged with a `-wal`
 *   that was left
 * @throws EarlierDatabaseError when a version before 1.0.0 has made it
 * @throws SqliteError when it is no database, or damaged
 */
export function inspectFile(path: string): FileContent {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new StoreUnavailableError('Expected a database, found a folder. Check the path.');
  const sizeBytes = stats?.size ?? 0;
  if (sizeBytes === 0) return { kind: 'nothing' };
  // A first start that was interrupted leaves a rollback journal, which only a writer may roll back.
  const isInterrupted = existsSync(`${path}-journal`);
  if (sizeBytes < SMALLEST_DATABASE_BYTES && !isInterrupted) {
    throw new StoreUnavailableError(`Expected a database, found a file of ${sizeBytes} bytes. Check the path.`);
  }
  const walBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const db = new Database(path, { readonly: !isInterrupted, timeout: LOCK_TIMEOUT_MS });
  try {
    const content = contentOf(db, path);
    if (content.kind === 'database' && walBytes > 0 && sizeBytes <= MAX_CHECKED_BYTES) requireSound(db);
    return content;
  } catch (error) {
    const isCorrupt = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT');
    throw isCorrupt && walBytes > 0 ? damaged(error.message) : error;
  } finally {
    db.close();
  }
}

function contentOf(db: Database.Database, path: string): FileContent {
  const names = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  const tables = names.filter((name) => !name.startsWith('sqlite_'));
  if (tables.every((name) => name === MIGRATIONS_TABLE)) return { kind: 'begun' };
  if (!OWN_TABLES.every((name) => tables.includes(name))) return { kind: 'foreign', tables };
  // Before its columns are read: those of before had other names.
  requireReadable(db, path);
  if (!hasDatabaseId(db)) return { kind: 'foreign', tables };
  const id = db.prepare<[], string>('SELECT database_id FROM meta').pluck().get();
  if (id !== undefined) return { kind: 'database', id };
  if (!isEmpty(db)) {
    throw new StoreUnavailableError('Expected one row in its table meta, found none. Put a backup in its place.');
  }
  return { kind: 'begun' };
}

/** Throws for a damaged database: a `-wal` from before a backup was restored damages the backup. */
function requireSound(db: Database.Database): void {
  const verdict = String(db.pragma('quick_check(1)', { simple: true }));
  if (verdict !== 'ok') throw damaged(verdict);
}

function damaged(reason: string): StoreUnavailableError {
  return new StoreUnavailableError(
    `Expected a sound database, found a damaged one (${reason.replace(/\s+/g, ' ')}). If a backup was put in its place, delete -wal and -shm beside it. Otherwise put a backup in its place.`,
  );
}

const hasDatabaseId = (db: Database.Database) =>
  db.prepare<[], string>("SELECT name FROM pragma_table_info('meta')").pluck().all().includes('database_id');

const isEmpty = (db: Database.Database) =>
  db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM guilds) OR EXISTS (SELECT 1 FROM changes)').pluck().get() === 0;
