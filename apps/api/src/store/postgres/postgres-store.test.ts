import { queryPostgres, startTestPostgres } from '@guild-settings/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../../testing/postgres-resource.ts';
import { describeStore } from '../../testing/store-behaviour.ts';
import { openTestPostgres } from '../../testing/store-commands.ts';
import { openReopenable } from '../../testing/store-resource.ts';
import { describeStoreAtScale, type OpenDatabase } from '../../testing/store-scale-behaviour.ts';

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
