import { useMemoryForTemporaryFiles } from './memory-folder.ts';
import { sharePostgres } from './test-postgres.ts';

let postgres: AsyncDisposable | undefined;

/**
 * Prepares a run of tests, before the first file: temporary files are in memory, where there is enough, and a PostgreSQL server for all
 * files starts when the first test needs it.
 */
export async function setup(): Promise<void> {
  useMemoryForTemporaryFiles();
  postgres = await sharePostgres();
}

/** Stops the server after the last file. */
export async function teardown(): Promise<void> {
  await postgres?.[Symbol.asyncDispose]();
}
