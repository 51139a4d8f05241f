import { existsSync, renameSync } from 'node:fs';
import { resolveFile } from '@guild-settings/runtime/sqlite-file';
import Database from 'better-sqlite3';

/**
 * Thrown for a file that SQLite cannot read, or whose content is invalid. The message contains the path and the remedy.
 */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
  readonly path: string;

  constructor(path: string, cause: Error) {
    super(
      `The file ${path} is damaged: ${cause.message}. Restore a backup, or move it aside with its -wal and -shm: the settings are fetched again, but other data in it is lost.`,
      { cause },
    );
    this.path = path;
  }

  /** Returns the error for a damaged file, also from a failed drizzle query; other errors unchanged. */
  static of(error: unknown, path: string): unknown {
    const cause = error instanceof Error && error.cause instanceof Database.SqliteError ? error.cause : error;
    const isDamage = cause instanceof Database.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(cause.code);
    return isDamage ? new DamagedFileError(resolveFile(path), cause) : error;
  }
}

/** Renames a closed file, together with SQLite's files beside it. Returns its new path. */
export function moveAside(path: string): string {
  const file = resolveFile(path);
  const movedTo = `${file}-damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  // The database last: the other files are useless without it.
  for (const suffix of ['-journal', '-shm', '-wal', '']) {
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${movedTo}${suffix}`);
  }
  return movedTo;
}
