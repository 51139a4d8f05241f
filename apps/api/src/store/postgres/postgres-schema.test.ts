import { queryPostgres, startTestPostgres, waitUntil } from '@guild-settings/testing';
import { getTableConfig as postgresTable } from 'drizzle-orm/pg-core';
import { getTableConfig as sqliteTable } from 'drizzle-orm/sqlite-core';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import * as sqlite from '../sqlite/schema.ts';
import { migratePostgres } from './database.ts';
import * as postgres from './schema.ts';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

async function structureOf(url: string): Promise<string[]> {
  const columns = await queryPostgres<{ line: string }>(
    url,
    `SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
     FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  const indexes = await queryPostgres<{ line: string }>(
    url,
    `SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'public'`,
  );
  const checks = await queryPostgres<{ line: string }>(
    url,
    `SELECT conname || ' ' || pg_get_constraintdef(oid) AS line FROM pg_constraint WHERE connamespace = 'public'::regnamespace`,
  );
  return [...columns, ...indexes, ...checks].map(({ line }) => line).toSorted();
}

test('the database has after its migrations exactly the columns and indexes of the schema', async () => {
  const url = await server.createDatabase();
  await migratePostgres(url);
  for (const table of Object.values(postgres)) {
    const { name, columns, indexes } = postgresTable(table);
    const found = await queryPostgres<{ column_name: string; data_type: string; is_nullable: string }>(
      url,
      `SELECT column_name, data_type, is_nullable FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = '${name}' ORDER BY ordinal_position`,
    );
    expect(found.map((column) => [column.column_name, column.data_type, column.is_nullable === 'NO'])).toEqual(
      columns.map((column) => [column.name, column.getSQLType(), column.notNull]),
    );
    const made = await queryPostgres<{ indexname: string }>(
      url,
      `SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND tablename = '${name}' AND indexname NOT LIKE '%_pk%'`,
    );
    expect(
      made
        .map(({ indexname }) => indexname)
        .filter((index) => !index.endsWith('_pkey'))
        .toSorted(),
    ).toEqual(indexes.map((index) => index.config.name).toSorted());
  }
});

test('both stores have the same tables, columns and indexes, but for what several processes need', () => {
  const stores = { postgres: { ...postgres }, sqlite: { ...sqlite } };
  expect(Object.keys(postgres).toSorted()).toEqual(Object.keys(sqlite).toSorted());
  const own = ['epochs.server_run', 'epochs_server_run', 'sessions.made_in', 'watchers_version'];
  for (const name of Object.keys(sqlite) as (keyof typeof sqlite)[]) {
    const one = postgresTable(stores.postgres[name]);
    const other = sqliteTable(stores.sqlite[name]);
    const columns = (table: string, list: readonly { readonly name: string; readonly notNull: boolean }[]) =>
      list
        .map((column) => `${table}.${column.name} ${column.notNull}`)
        .filter((line) => !own.some((part) => line.startsWith(part)));
    expect(columns(one.name, one.columns)).toEqual(columns(other.name, other.columns));
    const indexes = (list: readonly { readonly config: { readonly name?: string | undefined } }[]) =>
      list
        .map((index) => index.config.name ?? '')
        .filter((index) => !own.includes(index))
        .toSorted();
    expect(indexes(one.indexes)).toEqual(indexes(other.indexes));
  }
});

test('simultaneous migrations run one after another', async () => {
  const url = await server.createDatabase();
  await Promise.all([migratePostgres(url), migratePostgres(url), migratePostgres(url)]);
  expect((await structureOf(url)).length).toBeGreaterThan(20);
});

test('a migration that finds a table in use gives up its place in the queue of locks, and retries', async () => {
  const url = await server.createDatabase();
  await migratePostgres(url);
  const user = new pg.Client({ connectionString: url });
  await user.connect();
  await user.query('BEGIN; LOCK TABLE drizzle.__drizzle_migrations');
  const isWaiting = async () =>
    (await queryPostgres(url, "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'relation'")).length > 0;
  const migrating = migratePostgres(url);
  for (let times = 0; times < 2; times++) {
    await waitUntil(isWaiting, { message: 'the migration waits' });
    await waitUntil(async () => !(await isWaiting()), { message: 'it steps back' });
  }
  await user.query('ROLLBACK');
  await migrating;
  await user.end();
});
