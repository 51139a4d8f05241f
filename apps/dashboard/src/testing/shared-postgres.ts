import { sharePostgres } from '@guild-settings/testing';

let server: AsyncDisposable | undefined;

/** Starts a PostgreSQL server for all test files, before the first of them: initialising one takes seconds. */
export async function setup(): Promise<void> {
  server = await sharePostgres();
}

/** Stops it after the last. */
export async function teardown(): Promise<void> {
  await server?.[Symbol.asyncDispose]();
}
