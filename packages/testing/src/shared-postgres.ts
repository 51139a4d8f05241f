import { useMemoryForTemporaryFiles } from './memory-folder.ts';
import { sharePostgres } from './test-postgres.ts';

let server: AsyncDisposable | undefined;

/**
 * Starts a PostgreSQL server for all test files of a package, before the first of them: initialising one takes seconds. It and the files
 * of the tests are in memory, where there is enough.
 */
export async function setup(): Promise<void> {
  useMemoryForTemporaryFiles();
  server = await sharePostgres();
}

/** Stops it after the last. */
export async function teardown(): Promise<void> {
  await server?.[Symbol.asyncDispose]();
}
