import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '@guild-settings/sqlite-file';

/** The file beside a database that holds database ids, one a line. It outlives the database, and shows that there was one. */
const idFileOf = (path: string) => `${path}-id`;

/** The ids of the databases that were opened at this path, the latest last. Empty: none ever was, as far as is known. */
export function readDatabaseIds(path: string): string[] {
  try {
    const lines = readFileSync(idFileOf(path), 'utf8').split('\n');
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Notes the id of the database at this path: whole or not at all, and on the disk when it returns. */
export function noteDatabaseId(path: string, id: string): void {
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
