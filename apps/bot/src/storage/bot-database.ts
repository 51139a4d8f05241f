import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  firstMigrationOf,
  makePrivate,
  makePrivateFolder,
  requireFirstMigration,
} from '@guild-settings/runtime/sqlite-file';
import Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { PACKAGE_FOLDER } from '../config.ts';

const MIGRATIONS = fileURLToPath(new URL('src/storage/migrations', PACKAGE_FOLDER));

/**
 * The name is from the time when the bot only stored reminders. The replica, which uses the same file, has its own
 * migrations.
 */
const MIGRATIONS_TABLE = '__reminders_migrations';

/** Longest wait for another connection's lock, in milliseconds. It blocks the event loop. */
const LOCK_TIMEOUT_MS = 100;

/** Pages of the write-ahead log before a checkpoint: the number of the replica, which uses the same file. */
const CHECKPOINT_PAGES = 16_000;

export type BotDatabase = BetterSQLite3Database & { readonly $client: Database.Database };

/**
 * Opens the bot's own tables in its file, which the replica has locked, and migrates them. A commit survives a power
 * loss.
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 * @throws EarlierDatabaseError for reminders stored by a version before 1.0.0
 */
export function openBotDatabase(path: string): BotDatabase {
  makePrivateFolder(dirname(path));
  makePrivate(path);
  const client = new Database(path, { timeout: LOCK_TIMEOUT_MS });
  try {
    client.pragma('journal_mode = WAL');
    client.pragma('synchronous = FULL');
    client.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    const db = drizzle(client);
    requireFirstMigration({
      database: `The file ${path}`,
      applied: firstMigrationOf(client, MIGRATIONS_TABLE),
      migrations: readMigrationFiles({ migrationsFolder: MIGRATIONS }),
      remedy: 'Set DATABASE_URL to a new file: the settings are fetched again, but reminders have to be added again.',
    });
    migrate(db, { migrationsFolder: MIGRATIONS, migrationsTable: MIGRATIONS_TABLE });
    return db;
  } catch (error) {
    client.close();
    throw error;
  }
}
