import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

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
  // Not `recursive`: under /proc, where no folder can be made, Node repeats that without end.
  if (dirname(folder) !== folder) makePrivateFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    // Another process has made it in between.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/**
 * Creates an empty file with access for the owner only. SQLite takes an empty file for a new database.
 * @returns whether it was created; false when the file exists already
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
 * existing one and from the files that SQLite keeps beside it. Files of another user are left as they are.
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
