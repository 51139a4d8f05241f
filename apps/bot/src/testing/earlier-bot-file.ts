import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import Database from 'better-sqlite3';

/** The migrations of earlier versions, which kept one journal for the replica and the reminders. */
const MIGRATIONS = [
  [
    1_795_262_266_339,
    `CREATE TABLE position (id integer PRIMARY KEY NOT NULL, epoch text NOT NULL, revision integer NOT NULL,
       generation integer NOT NULL, live_at integer);
     CREATE TABLE records (guild_id text PRIMARY KEY NOT NULL, revision integer NOT NULL, generation integer NOT NULL,
       record text NOT NULL);`,
  ],
  [
    1_795_271_511_788,
    `CREATE TABLE reminders (id integer PRIMARY KEY AUTOINCREMENT NOT NULL, guild_id text NOT NULL,
       channel_id text NOT NULL, user_id text NOT NULL, text text NOT NULL, due_at integer NOT NULL,
       time_zone text NOT NULL, language text NOT NULL, every text, nonce text NOT NULL, next_try_at integer,
       tries integer DEFAULT 0 NOT NULL, failure text, created_at integer NOT NULL);
     CREATE INDEX reminders_next ON reminders (next_try_at, id) WHERE "reminders"."next_try_at" IS NOT NULL;
     CREATE INDEX reminders_of_person ON reminders (guild_id, user_id);
     ALTER TABLE position ADD scope text DEFAULT 'all' NOT NULL;`,
  ],
  [1_795_281_571_799, 'ALTER TABLE position ADD complete integer;'],
  [
    1_795_314_687_636,
    `CREATE TABLE staged (guild_id text PRIMARY KEY NOT NULL, revision integer NOT NULL, record text NOT NULL);
     ALTER TABLE position ADD held_epoch text;
     ALTER TABLE position ADD held_for_ms integer DEFAULT 0 NOT NULL;`,
  ],
] as const;

/** The first version with reminders, and the one with staged records. */
export const VERSIONS = { reminders: 2, staged: 4 } as const;

/** The guild of the record and of the reminder in the file. */
export const EARLIER_GUILD = '197038439483310086';

const record = (prefix: string) =>
  JSON.stringify({ id: EARLIER_GUILD, name: 'Tea', icon: null, ...DEFAULT_SETTINGS, prefix });

/**
 * Writes a file as an earlier version of the bot left it: a record with the prefix `?` at revision 5 of epoch `one`, a
 * reminder, and from the last version on, a record with the prefix `$` that is staged.
 * @param version how many migrations that version had, from 1 to 4
 */
export function writeEarlierFile(path: string, version: number): void {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE "__drizzle_migrations" (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)');
  for (const [createdAt, sql] of MIGRATIONS.slice(0, version)) {
    db.exec(sql);
    db.prepare('INSERT INTO "__drizzle_migrations" (hash, created_at) VALUES (?, ?)').run('a hash', createdAt);
  }
  db.prepare('INSERT INTO records VALUES (?, 5, 1, ?)').run(EARLIER_GUILD, record('?'));
  db.exec("INSERT INTO position (id, epoch, revision, generation, live_at) VALUES (1, 'one', 5, 1, 1000)");
  if (version >= VERSIONS.reminders) {
    db.exec(`INSERT INTO reminders (id, guild_id, channel_id, user_id, text, due_at, time_zone, language, every, nonce,
      next_try_at, created_at) VALUES (7, '${EARLIER_GUILD}', '1300000000000000001', '1200000000000000002', 'tea', 9000,
      'UTC', 'en-US', '{"kind":"daily","hour":9,"minute":0}', 'n', 9000, 500)`);
  }
  if (version >= VERSIONS.staged) {
    db.exec("UPDATE position SET epoch = 'two', revision = 1, generation = 2, complete = 1");
    db.prepare('INSERT INTO staged VALUES (?, 1, ?)').run(EARLIER_GUILD, record('$'));
  }
  db.close();
}
