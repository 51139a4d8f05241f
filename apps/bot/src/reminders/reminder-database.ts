import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePrivate, makePrivateFolder } from '@guild-settings/sqlite-file';
import Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { PACKAGE_FOLDER } from '../package-folder.ts';

const MIGRATIONS = fileURLToPath(new URL('src/reminders/migrations', PACKAGE_FOLDER));

/** How long a statement waits for another connection's lock, in milliseconds. The event loop waits meanwhile. */
const LOCK_TIMEOUT_MS = 100;

/** Pages of the write-ahead log before a checkpoint: as many as the replica, which uses the same file, has. */
const CHECKPOINT_PAGES = 16_000;

export type ReminderDatabase = BetterSQLite3Database & { readonly $client: Database.Database };

/**
 * Opens the reminders' tables in the bot's file, which the replica has locked, and migrates them. Their migrations have a
 * journal of their own, so that those of the replica are independent of them. The first one adopts the table of earlier
 * versions of the bot, which had one journal for both. A commit survives the loss of power.
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function openReminderDatabase(path: string): ReminderDatabase {
  makePrivateFolder(dirname(path));
  makePrivate(path);
  const client = new Database(path, { timeout: LOCK_TIMEOUT_MS });
  try {
    client.pragma('journal_mode = WAL');
    client.pragma('synchronous = FULL');
    client.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    const db = drizzle(client);
    migrate(db, { migrationsFolder: MIGRATIONS, migrationsTable: '__reminders_migrations' });
    return db;
  } catch (error) {
    client.close();
    throw error;
  }
}
