import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A new folder, deleted with its contents at the end of its scope. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** Returns the path of a file in the folder. Does not create it. */
  file(name: string): string;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'guild-settings-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Returns the path of a file in a new folder, deleted with the folder at the end of its scope. Does not create the file. */
export function temporaryFile(name = 'test.db'): Disposable & { readonly path: string } {
  const folder = temporaryFolder();
  return { path: folder.file(name), [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const run = promisify(execFile);
const CHUNK = Buffer.alloc(1 << 20);

/** A small file system in memory that can be filled. */
export interface SmallDisk extends AsyncDisposable {
  readonly folder: string;
  /** A folder on another file system, which is never full. */
  readonly outside: string;
  /** False where mounting is not permitted; `folder` is then an ordinary folder. */
  readonly canBeFilled: boolean;
  fill(): Promise<void>;
  free(): Promise<void>;
}

/**
 * Mounts a file system of some megabytes. Other users may enter its folders, because PostgreSQL does not run as root.
 */
export async function openSmallDisk(megabytes: number): Promise<SmallDisk> {
  const outside = temporaryFolder();
  await chmod(outside.path, 0o755);
  const folder = outside.file('disk');
  await mkdir(folder);
  const mounting = run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]);
  const canBeFilled = await succeeds(mounting);
  const ballast = `${folder}/ballast`;
  return {
    folder,
    outside: outside.path,
    canBeFilled,
    async fill() {
      const file = await open(ballast, 'a');
      try {
        // Smaller and smaller chunks, down to the last byte.
        for (let size = CHUNK.length; size >= 1; size = Math.floor(size / 16)) {
          while (await succeeds(file.write(CHUNK, 0, size).then((written) => written.bytesWritten === size)));
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      if (canBeFilled) await run('umount', ['-l', folder]).catch(() => {});
      outside[Symbol.dispose]();
    },
  };
}

function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    (result) => result !== false,
    () => false,
  );
}
