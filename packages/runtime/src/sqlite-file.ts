import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';

/** Longest wait for another process that reads the holder while this one writes it. */
const WRITE_HOLDER_TIMEOUT_MS = 1_000;

/**
 * The connections that hold a lock. The garbage collector would close an unreferenced connection, and release its lock.
 */
const held = new Set<Database.Database>();

/** Thrown when another process has locked the file. The message names the file and, if known, the process. */
export class FileInUseError extends Error {
  override readonly name = 'FileInUseError';
}

/** The process that holds a lock, as recorded by itself. The process id is that of its own host or container. */
interface Holder {
  readonly pid: number;
  readonly host: string;
}

/**
 * Locks a file against other processes until the returned function is called or the process ends, in any way. The lock
 * belongs to the file and not to its name: every path to the file, relative or by symbolic links, leads to the same
 * lock.
 *
 * It is a SQLite lock on the file `<path>-lock`, so stale process ids need not be detected, and the file itself can be
 * read and copied meanwhile. `<path>-lock` is kept on release: deleting it could delete the lock of another process.
 * @see https://www.sqlite.org/lockingv3.html
 * @throws FileInUseError when another process has locked the file
 */
export function lockFile(path: string): () => void {
  const file = resolveFile(path);
  makePrivateFolder(dirname(file));
  createPrivateFile(`${file}-lock`);
  const lock = new Database(`${file}-lock`, { timeout: 0 });
  try {
    writeHolder(lock);
    // A reserved lock: other processes cannot take it, but can read the holder.
    lock.exec('BEGIN IMMEDIATE');
  } catch (error) {
    const holder = isBusy(error) ? readHolder(lock) : undefined;
    lock.close();
    if (!isBusy(error)) throw error;
    const process = holder === undefined ? '' : ` (process ${holder.pid} on host ${holder.host})`;
    throw new FileInUseError(`Another process${process} uses the file ${file}.`);
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}

/** Writes this process into the lock file. If that fails, such as on a full disk, the lock still works. */
function writeHolder(lock: Database.Database): void {
  try {
    lock.exec('BEGIN IMMEDIATE');
    lock.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL, host TEXT NOT NULL)');
    lock.exec('DELETE FROM holder');
    lock.prepare('INSERT INTO holder (pid, host) VALUES (?, ?)').run(process.pid, hostname());
    lock.pragma(`busy_timeout = ${WRITE_HOLDER_TIMEOUT_MS}`);
    lock.exec('COMMIT');
  } catch (error) {
    if (lock.inTransaction) lock.exec('ROLLBACK');
    if (isBusy(error)) throw error;
  } finally {
    lock.pragma('busy_timeout = 0');
  }
}

function readHolder(lock: Database.Database): Holder | undefined {
  try {
    return lock.prepare<[], Holder>('SELECT pid, host FROM holder').get();
  } catch {
    return undefined;
  }
}

const isBusy = (error: unknown) => error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');

/** Permissions of a file and of a folder with access for the owner only. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Permission bits of the group and of others. */
const SHARED = 0o077;

/** Files that SQLite keeps beside a database. It creates them with the database's own permissions. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/** Creates a folder, and its missing parents, with access for the owner only. An existing folder keeps its permissions. */
export function makePrivateFolder(path: string): void {
  const folder = resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  // Not `recursive`: under /proc, where folders cannot be created, Node repeats that endlessly.
  if (dirname(folder) !== folder) makePrivateFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    // Another process has created it in between.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/**
 * Creates an empty file with access for the owner only. SQLite treats an empty file as a new database.
 * @returns true if it was created; false if the file exists already
 */
export function createPrivateFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Creates a database file with access for the owner only, or removes the permissions of the group and of others from an
 * existing one and from SQLite's files beside it. Files of another user are not changed.
 */
export function makePrivate(path: string): void {
  if (createPrivateFile(path)) return;
  for (const suffix of ['', ...COMPANIONS]) restrict(`${path}${suffix}`);
}

function restrict(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || (stats.mode & SHARED) === 0) return;
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch (error) {
    if (!hasCode(error, 'EPERM') && !hasCode(error, 'EROFS')) throw error;
  }
}

const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;

/** Maximum symbolic links that are followed to a file that does not exist. More of them are a loop. */
const MAX_LINKS = 40;

/**
 * Returns the absolute path of the file itself without symbolic links, even if the file does not exist yet. SQLite
 * keeps `-wal` and `-shm` beside that path.
 */
export function resolveFile(path: string): string {
  let file = resolve(path);
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      return realpathSync(file);
    } catch {
      const target = linkTarget(file);
      if (target === undefined) break;
      file = resolve(dirname(file), target);
    }
  }
  // Folders that do not exist yet do not contain links.
  const folder = dirname(file);
  return folder === file ? file : join(resolveFile(folder), basename(file));
}

/** Returns the target of a symbolic link; undefined: not a symbolic link. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Flushes a file's content to disk (fsync). */
export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Flushes the names in a folder to disk, so that a created or renamed file survives a power loss. */
export function syncFolder(path: string): void {
  try {
    syncFile(path);
  } catch (error) {
    // Some systems cannot open or sync a folder: they write names in order without it.
    if (!['EISDIR', 'EINVAL', 'EPERM'].some((code) => hasCode(error, code))) throw error;
  }
}

/**
 * Thrown for a database with a schema that this version does not read. The message contains the database and the
 * remedy.
 */
export class EarlierDatabaseError extends Error {
  override readonly name = 'EarlierDatabaseError';
}

interface Origin {
  /** The database in the message, such as `The database /data/api.db`. */
  readonly database: string;
  /** The hash of the first applied migration of the database; undefined: none. */
  readonly applied: string | undefined;
  /** The migrations of this version in order, from drizzle's `readMigrationFiles`. */
  readonly migrations: readonly { readonly hash: string }[];
  /** The instruction for the operator. */
  readonly remedy: string;
}

/**
 * Refuses a database whose first migration is not that of this version, before drizzle's migrator fails at its tables.
 * Until 1.0.0, each change of a schema replaced its single migration. Migrations added by a newer version are accepted.
 * @throws EarlierDatabaseError
 */
export function requireFirstMigration({ database, applied, migrations, remedy }: Origin): void {
  if (applied === undefined || applied === migrations[0]?.hash) return;
  throw new EarlierDatabaseError(
    `${database} was made by a version before 1.0.0, which this one cannot read. ${remedy}`,
  );
}

/**
 * Returns the hash of the first applied migration of a SQLite database; undefined: none.
 * @param table of drizzle's migrator
 */
export function firstMigrationOf(db: Database.Database, table = '__drizzle_migrations'): string | undefined {
  const exists = db.prepare<[string]>('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
  if (!exists) return undefined;
  return db.prepare<[], string>(`SELECT hash FROM "${table}" ORDER BY created_at LIMIT 1`).pluck().get();
}
