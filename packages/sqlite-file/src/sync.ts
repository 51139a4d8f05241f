import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Writes a file's content to the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes the names in a folder to the disk, so that a file that was created or renamed there survives the loss of power. */
export function syncFolder(path: string): void {
  try {
    syncFile(path);
  } catch (error) {
    // Some systems cannot open a folder, or sync it: they write names in order by themselves.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EISDIR' && code !== 'EINVAL' && code !== 'EPERM') throw error;
  }
}
