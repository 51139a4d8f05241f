import { EarlierDatabaseError } from '@guild-settings/runtime/sqlite-file';
import { queryPostgres, startTestPostgres, temporaryFile } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSessions } from './open-sessions.ts';

const REFUSAL =
  'sessions.* was made by a version before 1.0.0, which this one cannot read. Set DATABASE_URL to a new one: everyone has to log in again';

test('a file of sessions of a version before 1.0.0 is refused', async () => {
  using file = temporaryFile();
  const open = () => openSessions({ kind: 'sqlite', path: file.path }, Date.now);
  await (await open()).close();
  await (await open()).close();
  const other = new Database(file.path);
  other.exec("UPDATE __drizzle_migrations SET hash = 'of before'");
  other.close();
  await expect(open()).rejects.toThrow(EarlierDatabaseError);
  await expect(open()).rejects.toThrow(new RegExp(REFUSAL));
});

test('a PostgreSQL database of sessions of a version before 1.0.0 is refused', async () => {
  await using server = await startTestPostgres();
  const url = await server.createDatabase();
  const open = () => openSessions({ kind: 'postgres', url }, Date.now);
  await (await open()).close();
  await (await open()).close();
  await queryPostgres(url, "UPDATE drizzle.__dashboard_migrations SET hash = 'of before'");
  await expect(open()).rejects.toThrow(EarlierDatabaseError);
  await expect(open()).rejects.toThrow(new RegExp(REFUSAL));
});
