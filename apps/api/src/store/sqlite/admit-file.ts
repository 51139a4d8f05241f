import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  FileInUseError,
  firstMigrationOf,
  lockFile,
  requireFirstMigration,
  syncFolder,
} from '@guild-settings/runtime/sqlite-file';
import Database from 'better-sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { PACKAGE_FOLDER } from '../../own-package.ts';
import { EARLIER_DATABASE_REMEDY, StoreUnavailableError } from '../store.ts';

/**
 * When a new database may be created: without files of an old one, always, or never. `always` also accepts a database
 * of another history.
 */
export type NewDatabase = 'without-traces' | 'always' | 'never';

const HOW = 'or start once with --new to continue without the old one: every bot then fetches all settings again';

/**
 * Checks if the database at this path may be opened. A new database in place of a lost one would return the defaults
 * for every guild, and bots would replace their copies with them.
 * @throws StoreUnavailableError with the findings and the remedy
 */
export function admitFile(path: string, newDatabase: NewDatabase): void {
  const knownIds = readDatabaseIds(path);
  // Checked before the file is opened: SQLite deletes the -wal of an empty file.
  const companions = ['-wal', '-shm'].filter((suffix) => existsSync(`${path}${suffix}`));
  const content = inspectFile(path);
  switch (content.kind) {
    case 'nothing':
    case 'begun': {
      const found = content.kind === 'nothing' && !existsSync(path) ? 'no file' : 'an empty file';
      if (newDatabase === 'never') {
        throw new StoreUnavailableError(`Expected a database of this service, found ${found}. Check the path.`);
      }
      if (newDatabase === 'always') return;
      const traces = content.kind === 'nothing' ? companions : [];
      if (knownIds.length > 0) traces.push('-id');
      if (traces.length === 0) return;
      throw new StoreUnavailableError(
        `Expected the earlier database, found ${found}. Files of it remain: ${traces.join(', ')}. Restore the database or a backup, ${HOW}.`,
      );
    }
    case 'foreign':
      throw new StoreUnavailableError(
        `Expected a database of this service, found one with the tables ${content.tables.slice(0, 5).join(', ')}. Check the path.`,
      );
    case 'database':
      if (newDatabase === 'always' || knownIds.length === 0 || knownIds.includes(content.id)) return;
      throw new StoreUnavailableError(
        `Expected the database ${knownIds.at(-1)}, found ${content.id}: another file, or a -wal of another file. Restore the right one, ${HOW}.`,
      );
  }
}

const SHARE_REMEDY =
  'Stop that process, or set DATABASE_URL to another file. Several processes can share a PostgreSQL database.';

/**
 * Locks the database file of a service until the returned function is called or the process ends: processes that share
 * a file would not be notified of each other's changes.
 * @param remedy what to do if another process holds the lock
 * @throws StoreUnavailableError when another process holds the lock, or the folder cannot be written
 */
export function lockDatabase(path: string, remedy: string = SHARE_REMEDY): () => void {
  try {
    return lockFile(path);
  } catch (error) {
    if (error instanceof FileInUseError) {
      throw new StoreUnavailableError(`${error.message} ${remedy}`, { cause: error });
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailableError(`The database ${resolve(path)} cannot be opened: ${reason}`, { cause: error });
  }
}

type FileContent =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'begun' }
  | { readonly kind: 'database'; readonly id: string }
  | { readonly kind: 'foreign'; readonly tables: readonly string[] };

const OWN_TABLES = ['guilds', 'changes', 'meta'];

/** Drizzle's table of migrations, which is created before the first migration runs. */
const MIGRATIONS_TABLE = '__drizzle_migrations';

/** Bytes of the smallest database. SQLite treats a shorter file as empty, and overwrites it. */
const SMALLEST_DATABASE_BYTES = 512;

/**
 * Maximum bytes of a database that is checked before an existing -wal is written into it, which takes about a second.
 */
const MAX_CHECKED_BYTES = 256 * 1_024 * 1_024;

const LOCK_TIMEOUT_MS = 5_000;

/**
 * Reads the content of a file without changing it: a `-wal` of another database is not applied to the file.
 * @throws StoreUnavailableError when it is a folder, is a database of this service without the row about itself, or is
 * damaged and has a `-wal`
 * @throws EarlierDatabaseError when a version before 1.0.0 has made it
 * @throws SqliteError when it is damaged or not a database
 */
function inspectFile(path: string): FileContent {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new StoreUnavailableError('Expected a database, found a folder. Check the path.');
  const sizeBytes = stats?.size ?? 0;
  if (sizeBytes === 0) return { kind: 'nothing' };
  // An interrupted first start leaves a rollback journal, which only a writer may roll back.
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
  // Checked before its columns are read: earlier versions used other names.
  requireReadable(db, path);
  if (!hasDatabaseId(db)) return { kind: 'foreign', tables };
  const id = db.prepare<[], string>('SELECT database_id FROM meta').pluck().get();
  if (id !== undefined) return { kind: 'database', id };
  if (!isEmpty(db)) {
    throw new StoreUnavailableError('Expected one row in its table meta, found none. Restore a backup.');
  }
  return { kind: 'begun' };
}

/** Throws for a damaged database: a `-wal` that is older than a restored backup would damage the backup. */
function requireSound(db: Database.Database): void {
  const verdict = String(db.pragma('quick_check(1)', { simple: true }));
  if (verdict !== 'ok') throw damaged(verdict);
}

function damaged(reason: string): StoreUnavailableError {
  return new StoreUnavailableError(
    `Expected a sound database, found a damaged one (${reason.replace(/\s+/g, ' ')}). If it is a restored backup, delete -wal and -shm beside it. Otherwise restore a backup.`,
  );
}

const hasDatabaseId = (db: Database.Database) =>
  db.prepare<[], string>("SELECT name FROM pragma_table_info('meta')").pluck().all().includes('database_id');

const isEmpty = (db: Database.Database) =>
  db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM guilds) OR EXISTS (SELECT 1 FROM changes)').pluck().get() === 0;

/** Returns the path of the file that lists the ids of the databases at a path. It remains when a database is lost. */
const idFileOf = (path: string) => `${path}-id`;

/** Returns the ids of the databases that were opened at this path, latest last. Empty: unknown. */
function readDatabaseIds(path: string): string[] {
  try {
    const lines = readFileSync(idFileOf(path), 'utf8').split('\n');
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Records the id of the database at this path, atomically and flushed to disk. */
export function recordDatabaseId(path: string, id: string): void {
  const known = readDatabaseIds(path);
  if (known.includes(id)) return;
  const written = `${idFileOf(path)}.new`;
  const file = openSync(written, 'w', 0o600);
  try {
    writeSync(file, [...known, id, ''].join('\n'));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(written, idFileOf(path));
  syncFolder(dirname(path));
}

export const MIGRATIONS = fileURLToPath(new URL('src/store/sqlite/migrations', PACKAGE_FOLDER));

/** Refuses a file with tables that this version does not read. @throws EarlierDatabaseError */
function requireReadable(db: Database.Database, path: string): void {
  requireFirstMigration({
    database: `The database ${path}`,
    applied: firstMigrationOf(db),
    migrations: readMigrationFiles({ migrationsFolder: MIGRATIONS }),
    remedy: EARLIER_DATABASE_REMEDY,
  });
}
