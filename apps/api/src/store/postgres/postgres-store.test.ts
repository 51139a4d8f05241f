import { startTestPostgres } from '@guild-settings/testing';
import { openTestPostgres } from '@guild-settings/testing/stores';
import { expect, test } from 'vitest';

test('a PostgreSQL database that was never migrated is refused with instructions', async () => {
  await using server = await startTestPostgres();
  const url = await server.createDatabase();
  await expect(openTestPostgres(url)).rejects.toThrow(
    /Migrate it, with DATABASE_URL in the environment: node .*migrate\.js$/,
  );
});
