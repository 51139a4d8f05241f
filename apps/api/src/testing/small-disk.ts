import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MEGABYTE = 1 << 20;

/** A small file system in memory. */
export interface SmallDisk extends AsyncDisposable {
  readonly folder: string;
  /** Leaves no room on it. */
  fill(): void;
  free(): void;
}

/** Mounts a small disk; undefined where mounting is not permitted. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'guild-settings-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a');
      // The last byte as well.
      for (let size = MEGABYTE; size >= 1; size = Math.floor(size / 16)) while (writes(file, size));
      closeSync(file);
    },
    free: () => rmSync(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      await run('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writes(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) === bytes;
  } catch {
    return false;
  }
}
