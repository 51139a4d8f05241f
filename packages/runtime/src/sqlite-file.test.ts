import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import {
  EarlierDatabaseError,
  firstMigrationOf,
  makePrivate,
  makePrivateFolder,
  requireFirstMigration,
} from './sqlite-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'guild-settings-private-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a database that others could read is private: a new one, and one that was there with what lies beside it', () => {
  const made = join(folder, 'made.db');
  makePrivate(made);
  expect(modeOf(made)).toBe('600');
  const existing = join(folder, 'existing.db');
  for (const path of [existing, `${existing}-wal`, `${existing}-shm`]) {
    writeFileSync(path, 'x');
    chmodSync(path, 0o644);
  }
  makePrivate(existing);
  for (const path of [existing, `${existing}-wal`, `${existing}-shm`]) expect(modeOf(path)).toBe('600');
});

test('a data folder that is made is private, and an existing one keeps its permissions', () => {
  makePrivateFolder(join(folder, 'a', 'b'));
  expect([modeOf(join(folder, 'a')), modeOf(join(folder, 'a', 'b'))]).toEqual(['700', '700']);
  chmodSync(join(folder, 'a'), 0o755);
  makePrivateFolder(join(folder, 'a'));
  expect(modeOf(join(folder, 'a'))).toBe('755');
});

test('a folder that cannot be made is an error', () => {
  writeFileSync(join(folder, 'a-file'), '');
  expect(() => makePrivateFolder(join(folder, 'a-file', 'b', 'c'))).toThrow(/ENOTDIR|EEXIST/);
  expect(() => makePrivateFolder(join(folder, 'a-file'))).toThrow(/EEXIST/);
});

const MIGRATIONS = [{ hash: 'first' }, { hash: 'second' }];

/** Opens a database with these migrations, as recorded by drizzle's migrator. */
function databaseWith(...hashes: readonly string[]): Database.Database {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)');
  const add = db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)');
  // The first migration is identified by its time.
  for (const [index, hash] of [...hashes.entries()].toReversed()) add.run(hash, index);
  return db;
}

const open = (db: Database.Database) =>
  requireFirstMigration({
    database: 'The file of reminders',
    applied: firstMigrationOf(db),
    migrations: MIGRATIONS,
    remedy: 'Start with a new one.',
  });

test.each<[string, Database.Database]>([
  ['a new database', new Database(':memory:')],
  ['one whose first migration was interrupted', databaseWith()],
  ['one of this version', databaseWith('first', 'second')],
  ['one of an older version', databaseWith('first')],
  ['one of a newer version', databaseWith('first', 'second', 'third')],
])('%s is accepted', (_what, db) => {
  expect(() => open(db)).not.toThrow();
});

test('one that began with another migration is refused in one line, with what to do', () => {
  expect(() => open(databaseWith('of before', 'second'))).toThrow(EarlierDatabaseError);
  expect(() => open(databaseWith('of before'))).toThrow(
    /^The file of reminders was made by a version before 1\.0\.0, which this one cannot read\. Start with a new one\.$/,
  );
});
