import { hostname } from 'node:os';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { createPrivateFile, makePrivateFolder } from './private-file.ts';
import { resolveFile } from './resolve-file.ts';

/** The longest wait for another process that reads the holder while this one writes it. */
const WRITE_HOLDER_TIMEOUT_MS = 1_000;

/** The connections that hold a lock. A connection that nothing refers to is closed by the garbage collector, and its lock released. */
const held = new Set<Database.Database>();

/** Thrown when another process has locked the file. The message names the file and, where known, the process. */
export class FileInUseError extends Error {
  override readonly name = 'FileInUseError';
}

/** The process that holds a lock, as it wrote itself down. The process id is that of its own host or container. */
interface Holder {
  readonly pid: number;
  readonly host: string;
}

/**
 * Locks a file against other processes until the returned function is called or the process ends, however it ends. The lock
 * belongs to the file and not to its name: every path to the file, relative or by symbolic links, leads to the same lock.
 *
 * The lock is a SQLite lock on the file `<path>-lock`. No stale process id has to be judged, and the file itself can be read
 * and copied meanwhile. `<path>-lock` is kept on release: deleting it could delete the lock of another process.
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
    // A reserved lock: no other process can take it, and every process can read the holder.
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

/** Writes this process into the lock file. Where that fails, such as on a full disk, the lock works without. */
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
