import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CHUNK = Buffer.alloc(1 << 20);

/** A folder of a file system of its own, where that is permitted, so that it can be filled up. */
export interface Disk extends AsyncDisposable {
  readonly folder: string;
  /** A folder on another disk, with room. */
  readonly beside: string;
  readonly canBeFilled: boolean;
  /** Leaves no room on it. */
  fill(): Promise<void>;
  free(): Promise<void>;
}

/** Mounts a small disk in memory; without the right to mount, a folder like any other does. */
export async function openDisk(megabytes: number): Promise<Disk> {
  const root = await mkdtemp(join(tmpdir(), 'guild-settings-torture-'));
  // PostgreSQL's processes are somebody else's.
  await chmod(root, 0o755);
  const folder = join(root, 'disk');
  await mkdir(folder);
  const canBeFilled = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  const ballast = join(folder, 'ballast');
  return {
    folder,
    beside: root,
    canBeFilled,
    async fill() {
      const file = await open(ballast, 'a');
      try {
        // The last byte as well.
        for (let size = CHUNK.length; size >= 1; size = Math.floor(size / 16)) {
          while (
            await file.write(CHUNK, 0, size).then(
              ({ bytesWritten }) => bytesWritten === size,
              () => false,
            )
          );
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      if (canBeFilled) await run('umount', ['-l', folder]).catch(() => {});
      await rm(root, { recursive: true, force: true });
    },
  };
}
