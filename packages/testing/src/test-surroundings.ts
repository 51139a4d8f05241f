import { onNpxEnd } from '../../../scripts/npx-process.mjs';
import { useMemoryForTemporaryFiles } from './memory-folder.ts';
import { sharePostgres } from './test-postgres.ts';

let postgres: AsyncDisposable | undefined;

/**
 * Prepares a run of tests, before the first file of each package: temporary files are in memory, where there is enough, and a PostgreSQL server for all
 * files starts when the first test needs it.
 */
export async function setup(): Promise<void> {
  if (postgres !== undefined) return;
  useMemoryForTemporaryFiles();
  postgres = await sharePostgres();
  // A process that a signal ends leaves its children; one that exits kills them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, exit);
  onNpxEnd(exit);
}

/** Stops the server after the last file. */
export async function teardown(): Promise<void> {
  await postgres?.[Symbol.asyncDispose]();
  postgres = undefined;
}

function exit(): void {
  process.exit(1);
}
