import type { TestPostgres } from '@guild-settings/testing';
import { migratePostgres } from '../store/postgres/database.ts';
import { openTestPostgres, type TestStore } from './store-commands.ts';

/** A store of one process on a PostgreSQL database, closed at the end of its scope. */
export interface PostgresProcess extends AsyncDisposable {
  readonly store: TestStore;
  /** Returns how often the process was notified of commits. */
  readonly notifications: () => number;
}

/** Migrated databases to copy, by server: a migration takes longer than most tests. */
const templates = new WeakMap<TestPostgres, Promise<string>>();

/** Creates an empty, migrated database. Returns its URL. */
export async function migratedDatabase(server: TestPostgres): Promise<string> {
  const template = templates.get(server) ?? migrate(server);
  templates.set(server, template);
  return server.createDatabase(await template);
}

async function migrate(server: TestPostgres): Promise<string> {
  const url = await server.createDatabase();
  await migratePostgres(url);
  return url;
}

/** Opens a store as a process of the api does. */
export async function openProcess(url: string): Promise<PostgresProcess> {
  let count = 0;
  const store = await openTestPostgres(url, () => {
    count += 1;
  });
  return { store, notifications: () => count, [Symbol.asyncDispose]: () => store.close() };
}
