import { createRedactor } from '@guild-settings/runtime/log';
import { EarlierDatabaseError } from '@guild-settings/runtime/sqlite-file';
import { queryPostgres, startTestPostgres, temporaryFile } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { explainStartFailure } from '../start-failure.ts';
import { migratePostgres, openPool, requireMigrated } from './postgres/database.ts';
import { openDatabase } from './sqlite/database.ts';

const REFUSAL =
  /^The .*database.* was made by a version before 1\.0\.0, which this one cannot read\. Export its guilds with that version \(`export --all`\), start this one on a new database, and import them there\.$/;

/** Returns the error of a failed call as shown to an operator. */
async function explained(call: () => unknown): Promise<string> {
  const error: unknown = await Promise.resolve()
    .then(call)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EarlierDatabaseError);
  return explainStartFailure(error, createRedactor({ secrets: [], isStrict: true }));
}

test('a SQLite file of a version before 1.0.0 is refused in one line, and one of a later version is not', async () => {
  using file = temporaryFile();
  openDatabase(file.path).$client.close();
  const other = new Database(file.path);
  const { newest } = other.prepare('SELECT max(created_at) AS newest FROM __drizzle_migrations').get() as {
    newest: number;
  };
  other.prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', ?)").run(newest + 1);
  openDatabase(file.path).$client.close();
  // The earlier tables had other columns.
  other.exec("UPDATE __drizzle_migrations SET hash = 'of before'; ALTER TABLE meta RENAME COLUMN database_id TO epoch");
  other.close();
  const line = await explained(() => openDatabase(file.path));
  expect(line).toMatch(REFUSAL);
  expect(line).toContain(file.path);
});

test('a PostgreSQL database of a version before 1.0.0 is refused in one line, and one of a later version is not', async () => {
  await using server = await startTestPostgres();
  const url = await server.createDatabase();
  await migratePostgres(url);
  const db = openPool(url);
  const insert = "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) SELECT 'later', max(created_at) + 1";
  await queryPostgres(url, `${insert} FROM drizzle.__drizzle_migrations`);
  await requireMigrated(db);
  await migratePostgres(url);
  await queryPostgres(url, "UPDATE drizzle.__drizzle_migrations SET hash = 'of before'");
  // Both the service and its migration command refuse it.
  for (const open of [() => requireMigrated(db), () => migratePostgres(url)]) {
    expect(await explained(open)).toMatch(REFUSAL);
  }
  await db.$client.end();
});
