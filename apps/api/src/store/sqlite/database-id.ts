import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '@guild-settings/runtime/sqlite-file';

/** Returns the path of the file that lists the ids of the databases at a path. It remains when a database is lost. */
const idFileOf = (path: string) => `${path}-id`;

/** Returns the ids of the databases that were opened at this path, the latest last. Empty: none is known. */
export function readDatabaseIds(path: string): string[] {
  try {
    const lines = readFileSync(idFileOf(path), 'utf8').split('\n');
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Records the id of the database at this path, atomically and flushed to the disk. */
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
