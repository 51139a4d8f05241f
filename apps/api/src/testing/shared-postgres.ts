import { sharePostgres, useMemoryForTemporaryFiles } from '@guild-settings/testing';

let server: AsyncDisposable | undefined;

/**
 * Starts a PostgreSQL server for all test files, before the first of them: initialising one takes seconds. It and the files
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
