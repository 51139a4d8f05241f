import { queryPostgres, startTestPostgres } from '@guild-settings/testing';
import { describeStore } from '@guild-settings/testing/store-behaviour';
import { describeStoreAtScale, type OpenDatabase } from '@guild-settings/testing/store-log-behaviour';
import { migratedDatabase, openReopenable, openTestPostgres } from '@guild-settings/testing/stores';
import { afterAll, describe, expect, test } from 'vitest';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

describeStore('PostgreSQL', openResource);
describeStoreAtScale('PostgreSQL', openResource);

describe('a PostgreSQL database', () => {
  test('that was never migrated is refused with instructions', async () => {
    const url = await server.createDatabase();
    await expect(openTestPostgres(url)).rejects.toThrow(/Migrate it: node .*migrate\.js --to/);
  });
});

async function openResource(): Promise<OpenDatabase> {
  const url = await migratedDatabase(server);
  const resource = await openReopenable(() => openTestPostgres(url));
  return { ...resource, query: (sql) => queryPostgres(url, sql) };
}
