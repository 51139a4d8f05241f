import type { TestPostgres } from '@guild-settings/testing';
import { migratePostgres } from '../store/postgres/database.ts';
import { openTestPostgres, type TestStore } from './store-commands.ts';

/** A store of one process on a PostgreSQL database, closed at the end of its scope. */
export interface PostgresProcess extends AsyncDisposable {
  readonly store: TestStore;
  /** How often it heard that there is news. */
  readonly heard: () => number;
}

/** Makes an empty, migrated database, and gives its address. */
export async function migratedDatabase(server: TestPostgres): Promise<string> {
  const url = await server.createDatabase();
  await migratePostgres(url);
  return url;
}

/** Opens a store as a process of the api does. */
export async function openProcess(url: string): Promise<PostgresProcess> {
  let heard = 0;
  const store = await openTestPostgres(url, () => {
    heard += 1;
  });
  return { store, heard: () => heard, [Symbol.asyncDispose]: () => store.close() };
}
