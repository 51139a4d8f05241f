import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { EarlierDatabaseError, firstMigrationOf, requireFirstMigration } from './earlier-database.ts';

const MIGRATIONS = [{ hash: 'first' }, { hash: 'second' }];

/** Opens a database with these migrations, as drizzle's migrator notes them. */
function databaseWith(...hashes: readonly string[]): Database.Database {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)');
  const add = db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)');
  // The first one is read by its time.
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
