import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Flushes a file's content to the disk (fsync). */
export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Flushes the names in a folder to the disk, so that a created or renamed file survives the loss of power. */
export function syncFolder(path: string): void {
  try {
    syncFile(path);
  } catch (error) {
    // Some systems cannot open or sync a folder: they write names in order by themselves.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EISDIR' && code !== 'EINVAL' && code !== 'EPERM') throw error;
  }
}
