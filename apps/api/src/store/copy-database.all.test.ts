import { copyFileSync } from 'node:fs';
import { queryPostgres, startTestPostgres, temporaryFile, temporaryFolder } from '@guild-settings/testing';
import {
  A,
  B,
  migratedDatabase,
  NEVER_SEEN,
  nothing,
  openTestPostgres,
  openTestSqlite,
  prefix,
  presence,
  pruneAll,
} from '@guild-settings/testing/stores';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CopyProgress, copyDatabase } from './copy-database.ts';
import { ErasureLedger } from './erasure/erasure-ledger.ts';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const quiet = { onProgress: () => {} };

const emptyDatabase = () => migratedDatabase(server);

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const filled = folder.file('filled.db');
let described: Awaited<ReturnType<typeof fill>>;
beforeAll(async () => {
  described = await fill(filled);
});

function filledFile() {
  const file = temporaryFile();
  copyFileSync(filled, file.path);
  return { path: file.path, ...described, [Symbol.dispose]: () => file[Symbol.dispose]() };
}

/**
 * Writes guilds, changes, an erasure, a pruned log and a report to a new SQLite file. Returns its content and a cursor.
 */
async function fill(path: string) {
  const store = openTestSqlite(path);
  await store.write(prefix([A], 'old', 1));
  await store.write(prefix([A, B], '\u2028 "quotes" 👍', 1_000));
  await store.write(presence([NEVER_SEEN], 'left', 5));
  await pruneAll(store, { now: 2_000, changesBefore: 500, leftBefore: 10 });
  const many = Array.from({ length: 2_500 }, (_, index) => String(300_000_000_000_000_000n + BigInt(index)));
  await store.write(prefix(many, 'm'));
  await store.markShardReported({ id: 0, count: 2 }, 7);
  const { epoch } = await store.readFeed(0, 1);
  const cursor = { epoch, revision: 2_000 };
  const guild = await store.read(A);
  const { revision } = await store.write(nothing([]));
  await store.close();
  return { cursor, guild, revision };
}

test('a copy holds the same guilds, changes and revisions, and continues with the next revision', async () => {
  using file = filledFile();
  const url = await emptyDatabase();
  const progress: CopyProgress[] = [];
  const copied = await copyDatabase({ path: file.path, url, onProgress: (step) => progress.push(step) });
  expect(copied).toMatchObject({ guilds: 2_502, revision: file.revision });
  expect(progress.at(-1)).toStrictEqual({ step: 'comparing', table: 'guilds', done: 2_502, total: 2_502 });
  const store = await openTestPostgres(url);
  expect(await store.read(A)).toStrictEqual(file.guild);
  expect(await store.reportedShards()).toStrictEqual([{ id: 0, count: 2, at: 7 }]);
  expect(await store.write(prefix([A], 'next'))).toMatchObject({ revision: file.revision + 1 });
  await store.close();
});

test('a cursor of the file can be resumed on the copy, with the changes since', async () => {
  using file = filledFile();
  const url = await emptyDatabase();
  await copyDatabase({ path: file.path, url, ...quiet });
  const store = await openTestPostgres(url);
  expect(await store.canResume(file.cursor)).toBe(true);
  expect(await store.canResume({ ...file.cursor, revision: file.revision + 1 })).toBe(false);
  await store.write(prefix([B], 'after'));
  const { entries } = await store.readFeed(file.revision, 10);
  expect(entries).toMatchObject([{ revision: file.revision + 1, guild: { id: B } }]);
  await store.close();
});

test('a store does not open on an interrupted copy, which can be continued', async () => {
  using file = filledFile();
  const url = await emptyDatabase();
  const broken = copyDatabase({
    path: file.path,
    url,
    onProgress({ table, done }) {
      if (table === 'guilds' && done > 1_000) throw new Error('broken off');
    },
  });
  await expect(broken).rejects.toThrow('broken off');
  await expect(openTestPostgres(url)).rejects.toThrow('unfinished copy');
  const steps: CopyProgress[] = [];
  await copyDatabase({ path: file.path, url, onProgress: (step) => steps.push(step) });
  // Existing rows are not copied again.
  expect(steps.filter(({ step, table }) => step === 'copying' && table === 'changes')).toStrictEqual([]);
  const store = await openTestPostgres(url);
  expect(await store.read(A)).toStrictEqual(file.guild);
  await store.close();
});

test('a copy has the ledger of the file, and does not start without it', async () => {
  using file = filledFile();
  const ledger = `${file.path}-erasures`;
  const served = openTestSqlite(file.path, undefined, new ErasureLedger(ledger));
  await served.applyLedger();
  await served.close();
  const url = await emptyDatabase();
  await copyDatabase({ path: file.path, url, ...quiet });
  const start = async (path?: string) => {
    const store = await openTestPostgres(url, undefined, path === undefined ? undefined : new ErasureLedger(path));
    return store.applyLedger({ isNewAllowed: false }).finally(() => store.close());
  };
  await expect(start()).rejects.toThrow('Expected ERASURE_LEDGER, found none');
  await expect(start(`${ledger}-other`)).rejects.toThrow('found no file at');
  expect(await start(ledger)).toBe(0);
});

test('a row that differs in the target is detected', async () => {
  using file = filledFile();
  const url = await emptyDatabase();
  const copying = copyDatabase({
    path: file.path,
    url,
    onProgress({ step, table, done, total }) {
      if (step === 'comparing' && table === 'changes' && done === total) throw new Error('before the guilds');
    },
  });
  await expect(copying).rejects.toThrow('before the guilds');
  await queryPostgres(url, `UPDATE guilds SET settings = '{"prefix":"x"}' WHERE id = '${B}'`);
  await expect(copyDatabase({ path: file.path, url, ...quiet })).rejects.toThrow('guilds differs after the copy');
});
