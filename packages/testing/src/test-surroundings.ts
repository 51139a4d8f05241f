import { accessSync, constants, statfsSync } from 'node:fs';
import { onNpxEnd } from '../../../scripts/npx-process.mjs';
import { sharePostgres } from './postgres.ts';

let postgres: AsyncDisposable | undefined;

/**
 * Prepares a test run, before the first file of each package: temporary files are in memory if there is enough, and a
 * PostgreSQL server for all files starts when the first test needs it.
 */
export async function setup(): Promise<void> {
  if (postgres !== undefined) return;
  useMemoryForTemporaryFiles();
  postgres = await sharePostgres();
  // A process that is ended by a signal leaves its children; one that exits kills them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, exit);
  onNpxEnd(exit);
}

export async function teardown(): Promise<void> {
  await postgres?.[Symbol.asyncDispose]();
  postgres = undefined;
}

function exit(): void {
  process.exit(1);
}

/** Linux mounts a file system in memory here. */
const FOLDER = '/dev/shm';

/** Several times the size of all databases of concurrent tests. A container may have only 64 MiB. */
const MIN_FREE_BYTES = 3 * 1024 ** 3;

/**
 * Makes this process and its children create temporary files in memory, if the system has enough of it and TMPDIR is
 * not set. Creating a database takes less than half of the CPU time there, and commits do not wait for a disk.
 */
function useMemoryForTemporaryFiles(): void {
  if (process.env.TMPDIR === undefined && isRoomy()) process.env.TMPDIR = FOLDER;
}

function isRoomy(): boolean {
  try {
    accessSync(FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
