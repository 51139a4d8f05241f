import { startTestPostgres } from '@guild-settings/testing';
import {
  expectDeclaredOfModel,
  expectHistoryOfModel,
  TIMEOUT_MS,
  TITLES,
} from '@guild-settings/testing/model/model-tests';
import { migratedDatabase } from '@guild-settings/testing/stores';
import { afterAll, describe, test } from 'vitest';

describe('on PostgreSQL', async () => {
  const server = await startTestPostgres();
  afterAll(() => server[Symbol.asyncDispose]());
  const env = async () => ({ DATABASE_URL: await migratedDatabase(server) });

  test(TITLES.history, { timeout: TIMEOUT_MS }, async () => expectHistoryOfModel('PostgreSQL', await env()));

  test(TITLES.declared, { timeout: TIMEOUT_MS }, async () => expectDeclaredOfModel('PostgreSQL', await env()));
});
