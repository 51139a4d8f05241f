import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

/** Another process uses the bot's file. The message says what to do. */
export class FileInUseError extends Error {
  override readonly name = 'FileInUseError';
}

/**
 * Keeps every other bot process from the file until the result is called or the process ends, however it ends: two that
 * follow different guilds would delete each other's.
 * @throws FileInUseError
 */
export function holdFile(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true });
  // A file of its own, so that others can look into the bot's.
  const lock = new Database(`${path}-lock`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    throw new FileInUseError(`Another process uses ${path}. Give each bot process a file of its own by DATABASE_URL.`);
  }
  return () => void lock.close();
}
