import { queryPostgres, startTestPostgres } from '@guild-settings/testing';
import { A, migratedDatabase, openProcess, prefix } from '@guild-settings/testing/stores';
import { afterAll, expect, test } from 'vitest';
import type { Store } from '../store.ts';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const epochOf = async (store: Store) => (await store.readFeed(0, 1)).epoch;

const named = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

test('all processes read the same epoch, also one that starts later', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await using other = await openProcess(url);
  const epochs = await Promise.all([epochOf(one.store), epochOf(other.store), epochOf(one.store)]);
  expect(new Set(epochs).size).toBe(1);
  await one.store.write(prefix([A], '1'));
  await using third = await openProcess(url);
  expect(await epochOf(third.store)).toBe(epochs[0]);
});

test('a cursor of a history that an older copy replaced is not resumed, however far the copy has come since', async () => {
  const url = await migratedDatabase(server);
  const name = new URL(url).pathname.slice(1);
  const maintenance = named(url, 'postgres');
  let kept: { epoch: string; revision: number };
  let lost: { epoch: string; revision: number };
  {
    await using one = await openProcess(url);
    await one.store.write(prefix([A], '1'));
    kept = { epoch: await epochOf(one.store), revision: 1 };
  }
  await queryPostgres(maintenance, `CREATE DATABASE "${name}_copy" TEMPLATE "${name}"`);
  {
    await using one = await openProcess(url);
    for (const value of ['2', '3', '4']) await one.store.write(prefix([A], value));
    lost = { epoch: await epochOf(one.store), revision: 4 };
  }
  expect(lost.epoch).toBe(kept.epoch);
  await queryPostgres(maintenance, `DROP DATABASE "${name}"`);
  await queryPostgres(maintenance, `ALTER DATABASE "${name}_copy" RENAME TO "${name}"`);
  await using one = await openProcess(url);
  for (let turn = 0; turn < 9; turn++) await one.store.write(prefix([A], `${turn}`));
  expect(await one.store.canResume(kept)).toBe(true);
  expect(await one.store.canResume(lost)).toBe(false);
  expect(await epochOf(one.store)).not.toBe(kept.epoch);
});

test('restored tables in a running server begin another epoch', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await one.store.write(prefix([A], '1'));
  const before = { epoch: await epochOf(one.store), revision: 1 };
  // Like pg_restore --clean: the tables are created again with the same rows.
  await queryPostgres(
    url,
    `CREATE TABLE saved AS SELECT * FROM meta; UPDATE meta SET last_revision = 1;
     ALTER TABLE meta RENAME TO gone; CREATE TABLE meta (LIKE gone INCLUDING ALL);
     INSERT INTO meta SELECT * FROM saved; DROP TABLE gone, saved`,
  );
  expect(await epochOf(one.store)).not.toBe(before.epoch);
  expect(await one.store.canResume(before)).toBe(true);
  expect(await one.store.canResume({ ...before, revision: 2 })).toBe(false);
});
