import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstMigrationOf, makePrivate, makePrivateFolder } from '@guild-settings/runtime/sqlite-file';
import Database from 'better-sqlite3';
import { DrizzleError, getTableColumns, type Placeholder, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as schema from './schema.ts';

/** The folder of the one migration, beside `src` and `dist`. */
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** A bot may keep tables of its own in the file, with migrations of their own. */
const MIGRATIONS_TABLE = '__replica_migrations';

/** The longest wait for another connection's lock, in milliseconds. The event loop waits meanwhile. */
const LOCK_TIMEOUT_MS = 100;

/** Pages of the write-ahead log, 16 MB, before a checkpoint: it takes milliseconds in which the event loop waits. */
const CHECKPOINT_PAGES = 16_000;

/** Bytes of a page in a new file. A record has some 300: with larger pages each change would write its neighbours as well. */
const PAGE_BYTES = 1_024;

/** Bytes of the file that are read as memory, without a system call for each page. */
const MAPPED_BYTES = 256 * 1_024 * 1_024;

export type ReplicaDatabase = ReturnType<typeof openDatabase>['db'];

/**
 * Opens the file of a replica, creates it if there is none, and discards what a version with another schema has stored.
 *
 * Its contents can be fetched again, so a commit need not be on the disk at once: a loss of power costs the newest changes,
 * and the cursor that is lost with them fetches them again.
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function openDatabase(path: string) {
  let client: Database.Database | undefined;
  const close = () => void client?.close();
  try {
    makePrivateFolder(dirname(path));
    makePrivate(path);
    client = new Database(path, { timeout: LOCK_TIMEOUT_MS });
    client.pragma(`page_size = ${PAGE_BYTES}`);
    client.pragma('journal_mode = WAL');
    client.pragma(`mmap_size = ${MAPPED_BYTES}`);
    client.pragma('synchronous = NORMAL');
    client.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    return { db: createTables(client), close };
  } catch (error) {
    close();
    // Callers know errors by the codes of SQLite.
    throw error instanceof DrizzleError ? error.cause : error;
  }
}

/**
 * Creates the tables. Those of another migration are discarded, because all that they hold can be fetched again. Other tables in the
 * file are left as they are.
 */
function createTables(client: Database.Database) {
  const db = drizzle(client);
  const [migration] = readMigrationFiles({ migrationsFolder: MIGRATIONS });
  if (firstMigrationOf(client, MIGRATIONS_TABLE) !== migration?.hash) {
    db.transaction((tx) => {
      const tables = [...Object.values(schema), sql.identifier(MIGRATIONS_TABLE)];
      for (const table of tables) tx.run(sql`DROP TABLE IF EXISTS ${table}`);
    });
    migrate(db, { migrationsFolder: MIGRATIONS, migrationsTable: MIGRATIONS_TABLE });
  }
  return db;
}

/** Returns a placeholder for each column of a table, with the column's name in the schema. */
export function placeholders<Table extends SQLiteTable>(table: Table) {
  const names = Object.keys(getTableColumns(table)).map((name) => [name, sql.placeholder(name)]);
  return Object.fromEntries(names) as { [Name in keyof Table['$inferSelect'] & string]: Placeholder<Name> };
}
