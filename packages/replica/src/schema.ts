import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';

const TABLES = ['position', 'records', 'staged', 'rejected', 'watcher'] as const;

/**
 * The tables of a replica. `records` holds the record of each guild as of a revision, and `staged` those after a reset until they
 * replace the others. `rejected` holds the records that could not be read. `watcher` has one row: the id by which the service knows
 * the process of this file.
 *
 * `position` has one row: the cursor, the number of resets as `generation`, whether records are staged, when the replica was last
 * up to date, which guilds it follows, and the epoch that is held back.
 */
const SCHEMA = `
  CREATE TABLE position (id integer PRIMARY KEY NOT NULL, epoch text NOT NULL, revision integer NOT NULL,
    generation integer NOT NULL, is_staging integer NOT NULL, live_at integer, scope text NOT NULL, held_epoch text,
    held_for_ms integer NOT NULL);
  CREATE TABLE records (guild_id text PRIMARY KEY NOT NULL, revision integer NOT NULL, record text NOT NULL);
  CREATE TABLE staged (guild_id text PRIMARY KEY NOT NULL, revision integer NOT NULL, record text NOT NULL);
  CREATE TABLE rejected (guild_id text PRIMARY KEY NOT NULL, revision integer NOT NULL, generation integer NOT NULL,
    reason text NOT NULL);
  CREATE TABLE watcher (id text NOT NULL);`;

/** Identifies the schema in the header of the file, which has room for 32 bits. */
const VERSION = createHash('sha256').update(SCHEMA).digest().readInt32BE();

/**
 * Creates the tables. The tables of another version are discarded, because all that they hold can be fetched again. Other tables in
 * the file are left as they are. The SQL is part of the program, because a bot may be bundled into one file.
 * @see https://www.sqlite.org/pragma.html#pragma_user_version
 */
export function createTables(db: Database): void {
  const create = db.transaction(() => {
    if (db.pragma('user_version', { simple: true }) === VERSION) return;
    for (const table of TABLES) db.exec(`DROP TABLE IF EXISTS ${table}`);
    db.exec(SCHEMA);
    db.pragma(`user_version = ${VERSION}`);
  });
  create.immediate();
}
