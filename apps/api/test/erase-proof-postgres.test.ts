import { readFile } from 'node:fs/promises';
import { queryPostgres, startTestPostgres, waitUntil } from '@guild-settings/testing';
import { afterAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../src/testing/api-resource.ts';
import { IDS } from '../src/testing/people.ts';
import { migratedDatabase } from '../src/testing/postgres-resource.ts';

/** A guild and its manager that no other test has: all databases of the server share its write-ahead log. */
const guild = '288038439483310077';
const manager = '77908099506183611';
const name = 'guild-of-the-secret';

/** Too long for a row: PostgreSQL stores it in a table of its own (TOAST). */
const FEATURES = Array.from({ length: 64 }, (_, index) => `feature-secret-${index}-${'x'.repeat(40)}`);

/** The bytes that must not be left of the guild, and of the person who changed it. */
const SECRETS = [
  guild,
  manager,
  name,
  'prefix-pg-secret',
  'channel-pg-secret',
  'feature-secret-63',
  'reason-pg-secret',
];

const SECRET = `unnest(ARRAY[${SECRETS.map((secret) => `'${secret}'`).join()}]) AS secret`;
const IS_IN_BYTES = `position(convert_to(secret, 'UTF8') IN bytes) > 0`;

/** The files of all tables, indexes and catalogs of the database. */
const DATABASE_FILES = `SELECT pg_read_binary_file(pg_relation_filepath(oid), true) AS bytes FROM pg_class`;

/** The files of the write-ahead log. */
const LOG_FILES = `SELECT pg_read_binary_file('pg_wal/' || name, 0, size, true) AS bytes FROM pg_ls_waldir()`;

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

/** Returns the secrets that are in files, after everything in memory was written to them. */
async function found(url: string, files: string): Promise<string[]> {
  await queryPostgres(url, 'CHECKPOINT');
  return secretsIn(
    url,
    `WITH files AS MATERIALIZED (${files}) SELECT DISTINCT secret FROM files, ${SECRET} WHERE ${IS_IN_BYTES}`,
  );
}

/** Returns the secrets that are in the planner's statistics. */
const inStatistics = (url: string) =>
  secretsIn(
    url,
    `SELECT DISTINCT secret FROM pg_stats, ${SECRET} WHERE position(secret IN to_json(pg_stats)::text) > 0`,
  );

async function secretsIn(url: string, statement: string): Promise<string[]> {
  const rows = await queryPostgres<{ secret: string }>(url, statement);
  return SECRETS.filter((secret) => rows.some((row) => row.secret === secret));
}

/** Keeps the write-ahead log from now on: the server removes the oldest of it, as the tests of other databases write. */
async function keepLog(url: string): Promise<AsyncDisposable> {
  const slot = `erase_proof_${process.pid}`;
  await queryPostgres(url, `SELECT pg_create_physical_replication_slot('${slot}', true)`);
  return {
    [Symbol.asyncDispose]: async () => void (await queryPostgres(url, `SELECT pg_drop_replication_slot('${slot}')`)),
  };
}

/** Changes the guild as its manager, so that the values are in the record, in its history and in the statistics. */
async function writeSecrets(api: TestApi, url: string, token: string): Promise<void> {
  // Uncompressed, so that their bytes can be searched for.
  for (const column of ['guilds ALTER enabled_features', 'changes ALTER before', 'changes ALTER after'])
    await queryPostgres(url, `ALTER TABLE ${column} SET STORAGE EXTERNAL`);
  const body = { type: 'present', guild: { id: guild, name, icon: null } };
  await api.send('/trpc/presence.report', { method: 'POST', token: api.tokens.application, body });
  const sent = { token, headers: { 'x-audit-log-reason': 'reason-pg-secret' } };
  await api.patch(guild, { prefix: 'prefix-pg-secret' }, sent);
  await api.patch(guild, { announcement_channel: 'channel-pg-secret', enabledFeatures: FEATURES }, sent);
  await api.patch(guild, { enabledFeatures: [] }, sent);
  await api.patch(IDS.otherGuild, { prefix: 'kept' });
  // A list of guilds by shard that was interrupted at the guild.
  await queryPostgres(url, 'ANALYZE');
}

/** Runs the statements of the documentation that rewrite the files of the tables, or the write-ahead log. */
async function runDocumented(url: string, subject: 'VACUUM' | 'pg_switch_wal'): Promise<void> {
  const operations = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const blocks = [...operations.matchAll(/```sql\n(.*?)```/gs)].map(([, block]) => block ?? '');
  const statements =
    blocks
      .find((block) => block.includes(subject))
      ?.split(';\n')
      .filter(Boolean) ?? [];
  expect(statements.length).toBeGreaterThan(1);
  for (const statement of statements) await queryPostgres(url, statement);
}

test('after an erasure and its clean-up, no row and no statistic of PostgreSQL has the values; after the documented statements no file does', async () => {
  const url = await migratedDatabase(server);
  await using api = await startApi({ DATABASE_URL: url });
  const { world } = api.discord;
  world.addUser({ id: manager, username: 'manager' });
  world.addGuild({ id: guild, name, icon: null, ownerId: manager });
  const scopes = ['identify', 'guilds'] as const;
  const token = world.issueUserToken({ userId: manager, applicationId: IDS.application, scopes }).accessToken;
  {
    await using _ = await keepLog(url);
    await writeSecrets(api, url, token);
    expect([await found(url, DATABASE_FILES), await found(url, LOG_FILES)]).toEqual([SECRETS, SECRETS]);
    expect(await inStatistics(url)).toEqual(expect.arrayContaining([guild, manager, 'prefix-pg-secret']));

    const erased = await api.send(`/guilds/${guild}`, { method: 'DELETE', token, headers: { 'if-match': '*' } });
    const forgotten = await api.send('/users/@me/history', { method: 'DELETE', token });
    expect([erased.status, forgotten.status]).toEqual([204, 202]);
    await waitUntil(() => isClean(api), { message: 'the database is clean' });
    expect(await inStatistics(url)).toEqual([]);
    // Free space of the pages still has bytes, as the documentation says.
    expect(await found(url, DATABASE_FILES)).toEqual(expect.arrayContaining([guild, 'prefix-pg-secret']));

    // A transaction that is open at the moment keeps the rows that it may still see.
    await waitUntil(
      async () => {
        await runDocumented(url, 'VACUUM');
        return (await found(url, DATABASE_FILES)).length === 0;
      },
      { message: 'no file has the values' },
    );
    expect(await found(url, LOG_FILES)).toEqual(SECRETS);
  }
  await runDocumented(url, 'pg_switch_wal');
  expect(await found(url, LOG_FILES)).toEqual([]);
  expect(await (await api.get(IDS.otherGuild)).json()).toMatchObject({ prefix: 'kept' });
});

async function isClean({ url }: TestApi): Promise<boolean> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return /^erasures_unfinished 0$/m.test(metrics) && /^erasures_unclean 0$/m.test(metrics);
}
