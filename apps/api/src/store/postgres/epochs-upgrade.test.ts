import { queryPostgres, startTestPostgres } from '@guild-settings/testing';
import { asc, eq, gt, sql } from 'drizzle-orm';
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { afterAll, expect, test } from 'vitest';
import { migrateWith, migrationsBefore, viewForVersionBefore } from '../../testing/earlier-migrations.ts';
import { openProcess } from '../../testing/postgres-resource.ts';
import { A, prefix } from '../../testing/store-commands.ts';
import { migratePostgres, openPool, type PostgresDatabase } from './database.ts';
import { meta } from './schema.ts';
import { type Transaction, transact } from './transaction.ts';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const { name, renamedColumns } = await viewForVersionBefore('postgres', '0004_epochs');
const [runColumn = ''] = renamedColumns;

/** The table of epochs as the version before `0004_epochs` knows it. */
const epochsBefore = pgTable(name, {
  number: integer().primaryKey().generatedByDefaultAsIdentity(),
  epoch: text().notNull(),
  since: bigint({ mode: 'number' }).notNull(),
  serverRun: text(runColumn),
});

const SERVER_RUN = sql<string>`concat_ws('/',
  extract(epoch FROM pg_postmaster_start_time()),
  (SELECT oid FROM pg_database WHERE datname = current_database()),
  pg_relation_filenode('meta'))`;

/** Locks `meta` and notes the epoch, with the statements of the version before `0004_epochs`. */
async function lockAsBefore(tx: Transaction, epoch: string): Promise<number> {
  const isNoted = sql<boolean>`EXISTS (SELECT FROM ${epochsBefore} WHERE ${epochsBefore.serverRun} = ${SERVER_RUN})`;
  const [bounds] = await tx.select({ lastRevision: meta.lastRevision, isNoted }).from(meta).for('update');
  const since = bounds?.lastRevision ?? -1;
  if (bounds?.isNoted !== true) await tx.insert(epochsBefore).values({ epoch, since, serverRun: SERVER_RUN });
  return since;
}

const epochAsBefore = async (tx: Transaction) =>
  (await tx.select().from(epochsBefore).where(eq(epochsBefore.serverRun, SERVER_RUN)))[0]?.epoch;

/** Returns the revisions at which the epochs after one began, with the statement of the version before `0004_epochs`. */
async function nextAsBefore(tx: Transaction, epoch: string): Promise<number[]> {
  const [found] = await tx.select().from(epochsBefore).where(eq(epochsBefore.epoch, epoch));
  const next = tx
    .select()
    .from(epochsBefore)
    .where(gt(epochsBefore.number, found?.number ?? 0));
  return (await next.orderBy(asc(epochsBefore.number)).limit(1)).map(({ since }) => since);
}

/** A database of the version before `0004_epochs` in which an epoch began at an earlier run of the server. */
async function databaseFromBefore(): Promise<string> {
  const url = await server.createDatabase();
  await using migrations = await migrationsBefore('postgres', '0004_epochs');
  await migrateWith(url, migrations.folder);
  await queryPostgres(
    url,
    `INSERT INTO meta VALUES (1, 'database', 3, 1, NULL);
     INSERT INTO ${name} (epoch, since, ${runColumn}) VALUES ('first', 0, 'a'), ('second', 2, 'b');
     INSERT INTO guilds (id, prefix, announcement_channel, beta, language, enabled_features, revision, presence, updated_at)
     VALUES ('${A}', '?', '', false, 'en-US', '[]', 3, 'present', 1)`,
  );
  return url;
}

async function withPool(url: string, work: (db: PostgresDatabase) => Promise<void>): Promise<void> {
  const db = openPool(url);
  await work(db).finally(() => db.$client.end());
}

test('a database from before the table of epochs keeps its rows, and its cursors can be resumed', async () => {
  const url = await databaseFromBefore();
  await migratePostgres(url);
  await using process = await openProcess(url);
  const resumes = (epoch: string, revision: number) => process.store.canResume({ epoch, revision });
  expect(await process.store.read(A)).toMatchObject({ revision: 3, settings: { prefix: '?' } });
  expect(await Promise.all([resumes('first', 2), resumes('first', 3), resumes('second', 3)])).toEqual([
    true,
    false,
    true,
  ]);
  await process.store.write(prefix([A], '!'));
  expect(await Promise.all([resumes('second', 3), resumes('second', 4)])).toEqual([true, false]);
});

test('a process of the version before continues to read, lock and begin epochs after the migration', async () => {
  const url = await databaseFromBefore();
  await withPool(url, async (before) => {
    expect(await transact(before, 'write', (tx) => lockAsBefore(tx, 'third'))).toBe(3);
    await migratePostgres(url);
    expect(await transact(before, 'snapshot', epochAsBefore)).toBe('third');
    expect(await transact(before, 'write', (tx) => lockAsBefore(tx, 'never'))).toBe(3);
    expect(await transact(before, 'snapshot', (tx) => nextAsBefore(tx, 'first'))).toEqual([2]);

    // Both versions name the history alike, whichever began the epoch.
    await using process = await openProcess(url);
    await process.store.write(prefix([A], '!'));
    expect((await process.store.readFeed(0, 1)).epoch).toBe('third');
    // The tables are restored: another history begins, and the older process is the first to write.
    await queryPostgres(url, 'VACUUM FULL meta');
    expect(await transact(before, 'write', (tx) => lockAsBefore(tx, 'fourth'))).toBe(4);
    expect((await process.store.readFeed(0, 1)).epoch).toBe('fourth');
    expect(await process.store.canResume({ epoch: 'third', revision: 4 })).toBe(true);
    expect(await queryPostgres(url, 'SELECT number, since FROM epochs ORDER BY number')).toEqual([
      { number: 1, since: '0' },
      { number: 2, since: '2' },
      { number: 3, since: '3' },
      { number: 4, since: '4' },
    ]);
  });
});

test('a process of the version before begins an epoch in a migrated database', async () => {
  const url = await databaseFromBefore();
  await migratePostgres(url);
  await withPool(url, async (before) => {
    await transact(before, 'write', (tx) => lockAsBefore(tx, 'third'));
    expect(await transact(before, 'snapshot', epochAsBefore)).toBe('third');
  });
});

test('a process that connects as a role with grants continues to read, lock and begin epochs after the migration', async () => {
  const url = await databaseFromBefore();
  const role = `served_${process.pid}`;
  await queryPostgres(
    url,
    `CREATE ROLE ${role} LOGIN PASSWORD 'served';
     GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
  );
  await migratePostgres(url);
  await withPool(Object.assign(new URL(url), { username: role, password: 'served' }).href, async (before) => {
    await transact(before, 'write', (tx) => lockAsBefore(tx, 'third'));
    expect(await transact(before, 'snapshot', epochAsBefore)).toBe('third');
  });
  await queryPostgres(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
});
