import { hostname } from 'node:os';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { createPrivateFile, makePrivateFolder } from './private-file.ts';
import { resolveFile } from './resolve-file.ts';

/** Milliseconds that the note is waited for while another process reads the one before. */
const NOTE_TIMEOUT_MS = 1_000;

/** Another process uses the file. The message names the file and, where it is known, the process. */
export class FileInUseError extends Error {
  override readonly name = 'FileInUseError';
}

/** Who holds a lock, as it noted itself. The process id is the one on its own host, or in its own container. */
interface Holder {
  readonly pid: number;
  readonly host: string;
}

/**
 * Holds the lock of a file until the returned function is called or the process ends, however it ends. The lock belongs to
 * the file and not to its name: every path to it, by symbolic links or relative, leads to the same lock.
 *
 * The lock is a SQLite lock on the file `<path>-lock`, so that it needs no process id to judge by, and the file itself can
 * be read and copied meanwhile. `<path>-lock` stays when it is released: deleting it could delete another process's lock.
 * @see https://www.sqlite.org/lockingv3.html
 * @throws FileInUseError when another process holds it
 */
export function holdFile(path: string): () => void {
  const file = resolveFile(path);
  makePrivateFolder(dirname(file));
  createPrivateFile(`${file}-lock`);
  const lock = new Database(`${file}-lock`, { timeout: 0 });
  try {
    noteHolder(lock);
    // A reserved lock: nobody else can take it, and the holder can be read.
    lock.exec('BEGIN IMMEDIATE');
  } catch (error) {
    const holder = isBusy(error) ? readHolder(lock) : undefined;
    lock.close();
    if (!isBusy(error)) throw error;
    const process = holder === undefined ? '' : ` (process ${holder.pid} on host ${holder.host})`;
    throw new FileInUseError(`Another process${process} uses the file ${file}.`);
  }
  return () => void lock.close();
}

/** Notes this process in the lock file. Where that cannot be written, such as on a full disk, the lock is taken without. */
function noteHolder(lock: Database.Database): void {
  try {
    lock.exec('BEGIN IMMEDIATE');
    lock.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL, host TEXT NOT NULL)');
    lock.exec('DELETE FROM holder');
    lock.prepare('INSERT INTO holder (pid, host) VALUES (?, ?)').run(process.pid, hostname());
    lock.pragma(`busy_timeout = ${NOTE_TIMEOUT_MS}`);
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
