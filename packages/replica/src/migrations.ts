import type { Database } from 'better-sqlite3';

/**
 * The versions of the schema. `createdAt` is the number by which a file knows a version.
 *
 * `records` holds the record of each guild as of a revision. `generation` counts resets: a record of an older generation is
 * deleted when the replica is live. `staged` holds the records after a reset until they replace the others. `position` has
 * one row: the cursor, the last generation that was `complete`, when the replica was last up to date, which guilds it
 * follows, the epoch that is held back, and in `untouched_to` the cursor again as written by versions that store records
 * untouched: another cursor means that an earlier version, which drops unknown fields, has written since. `rejected` holds the
 * records that could not be read. `watcher` has one row: the id by which the service knows the process of this file.
 */
const MIGRATIONS = [
  {
    createdAt: 1_795_262_266_339,
    sql: `
      CREATE TABLE position (id integer PRIMARY KEY NOT NULL, epoch text NOT NULL, revision integer NOT NULL,
        generation integer NOT NULL, live_at integer);
      CREATE TABLE records (guild_id text PRIMARY KEY NOT NULL, revision integer NOT NULL, generation integer NOT NULL,
        record text NOT NULL);`,
  },
  { createdAt: 1_795_271_511_788, sql: "ALTER TABLE position ADD scope text DEFAULT 'all' NOT NULL" },
  { createdAt: 1_795_281_571_799, sql: 'ALTER TABLE position ADD complete integer' },
  {
    createdAt: 1_795_314_687_636,
    sql: `
      CREATE TABLE staged (guild_id text PRIMARY KEY NOT NULL, revision integer NOT NULL, record text NOT NULL);
      ALTER TABLE position ADD held_epoch text;
      ALTER TABLE position ADD held_for_ms integer DEFAULT 0 NOT NULL;`,
  },
  {
    createdAt: 1_795_359_168_866,
    sql: `
      CREATE TABLE rejected (guild_id text PRIMARY KEY NOT NULL, revision integer NOT NULL, generation integer NOT NULL,
        reason text NOT NULL);
      ALTER TABLE position ADD untouched_to text;`,
  },
  { createdAt: 1_795_362_000_000, sql: 'CREATE TABLE watcher (id text NOT NULL)' },
] as const;

/**
 * Brings a file to the newest version in one transaction. Its journal is the table of drizzle's migrator, with which earlier
 * versions kept it. The SQL is part of the program, because a bot may be bundled into one file.
 */
export function migrate(db: Database): void {
  db.transaction(() => {
    db.exec(`CREATE TABLE IF NOT EXISTS "__drizzle_migrations"
      (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`);
    const last = db
      .prepare<[], number>('SELECT coalesce(max(created_at), 0) FROM "__drizzle_migrations"')
      .pluck()
      .get();
    const add = db.prepare<[string, number]>('INSERT INTO "__drizzle_migrations" (hash, created_at) VALUES (?, ?)');
    for (const { createdAt, sql } of MIGRATIONS) {
      if (createdAt <= (last ?? 0)) continue;
      db.exec(sql);
      add.run('', createdAt);
    }
  })();
}
