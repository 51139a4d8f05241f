import { queryPostgres, startTestPostgres } from '@guild-settings/testing';
import { A, B, migratedDatabase, NEVER_SEEN, nothing, openProcess, prefix } from '@guild-settings/testing/stores';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

test('a lock that another session holds on the row of writers keeps the database readable, and not writable', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  const { revision } = await one.store.write(prefix([A, B], '?'));
  const other = new pg.Client(url);
  await other.connect();
  await other.query('BEGIN; SELECT * FROM meta FOR UPDATE');
  await one.store.probeRead([A, NEVER_SEEN]);
  await expect(one.store.probeWrite()).rejects.toThrow('55P03');
  await other.query('ROLLBACK');
  await other.end();
  await one.store.probeWrite();
  expect(await one.store.write(nothing([]))).toMatchObject({ revision });
});

test('a database that became read-only, as a former primary is, can be read and not written', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await queryPostgres(url, `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET default_transaction_read_only = on`);
  // Existing sessions keep the former setting.
  await queryPostgres(
    url,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
  );
  await one.store.probeRead([]).catch(() => {});
  await one.store.probeRead([]);
  await expect(one.store.probeWrite()).rejects.toThrow('25006');
});

test('a missing table cannot be read', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await queryPostgres(url, 'ALTER TABLE guilds RENAME TO lost');
  await expect(one.store.probeRead([])).rejects.toThrow('guilds');
  await queryPostgres(url, 'ALTER TABLE lost RENAME TO guilds');
  await one.store.probeRead([]);
});
