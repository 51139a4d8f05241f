import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  createPrivateFile,
  makePrivate,
  makePrivateFolder,
  syncFile,
  syncFolder,
} from '@guild-settings/runtime/sqlite-file';
import Database from 'better-sqlite3';

/** The backup is not possible. It has not created a file with the requested name. */
export class BackupRefusedError extends Error {
  override readonly name = 'BackupRefusedError';
}

/** The copy failed its check and was deleted. */
export class DamagedBackupError extends Error {
  override readonly name = 'DamagedBackupError';
}

const UNFINISHED = /\.[0-9a-f-]{36}\.partial$/;

/**
 * Copies a snapshot of a SQLite database that may be in use. The copy has a temporary name until it is complete,
 * checked and flushed to disk, so an interrupted run does not leave a file that looks like a backup. Unfinished copies
 * of earlier runs in the folder are deleted.
 * @throws BackupRefusedError when the source is missing, or the target exists
 * @throws DamagedBackupError
 */
export function backUp(from: string, to: string): void {
  const target = resolve(to);
  const folder = dirname(target);
  const source = statSync(from, { throwIfNoEntry: false });
  if (!source?.isFile()) {
    const found = source === undefined ? 'no file' : 'a folder';
    throw new BackupRefusedError(`Expected a database at ${from}, found ${found}. Check --from.`);
  }
  refuseExisting(target);
  makePrivateFolder(folder);
  deleteUnfinished(folder);
  const unfinished = join(folder, `${basename(target)}.${randomUUID()}.partial`);
  try {
    createPrivateFile(unfinished);
    copyInto(from, unfinished);
    leaveSessionsOut(unfinished);
    check(unfinished);
    makePrivate(unfinished);
    syncFile(unfinished);
    nameFile(unfinished, target);
    syncFolder(folder);
  } finally {
    deleteDatabase(unfinished);
  }
}

function copyInto(from: string, to: string): void {
  const source = new Database(from, { readonly: true });
  try {
    const tables = source.prepare<[], number>('SELECT count(*) FROM sqlite_master').pluck().get();
    if (tables === 0)
      throw new BackupRefusedError(`Expected a database at ${from}, found an empty file. Check --from.`);
    // Reads one snapshot: writers neither wait nor restart it.
    source.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new Error(`The database ${from} cannot be copied: ${error.message}`, { cause: error });
  } finally {
    source.close();
  }
}

/**
 * Deletes the sessions of a copy: a restored session must not come back, and its refresh token must not be used,
 * because Discord would revoke all tokens of the person.
 */
function leaveSessionsOut(path: string): void {
  const copy = new Database(path);
  try {
    const hasSessions = copy.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sessions' AND type = 'table'").get();
    if (hasSessions === undefined) return;
    copy.pragma('secure_delete = ON');
    copy.exec('DELETE FROM sessions');
  } finally {
    copy.close();
  }
}

function check(path: string): void {
  const copy = new Database(path);
  try {
    const verdict = copy.pragma('integrity_check', { simple: true });
    if (verdict !== 'ok')
      throw new DamagedBackupError(`The copy is damaged, and the database may be as well: ${verdict}`);
  } finally {
    copy.close();
  }
}

function nameFile(path: string, name: string): void {
  try {
    linkSync(path, name);
  } catch (error) {
    refuseExisting(name);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!NO_LINKS.includes(code)) throw error;
    renameSync(path, name);
  }
}

/** Error codes of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

function refuseExisting(path: string): void {
  if (!existsSync(path)) return;
  throw new BackupRefusedError(
    `Expected a new file, but ${path} already exists and is not overwritten. Choose another name.`,
  );
}

/** Deletes unfinished backups that no process is writing. SQLite locks a file that it writes. */
function deleteUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (UNFINISHED.test(name) && !isLocked(path)) deleteDatabase(path);
  }
}

function isLocked(path: string): boolean {
  let file: Database.Database | undefined;
  try {
    file = new Database(path, { fileMustExist: true, timeout: 0 });
    file.exec('BEGIN EXCLUSIVE');
    return false;
  } catch (error) {
    return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
  } finally {
    file?.close();
  }
}

function deleteDatabase(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}
