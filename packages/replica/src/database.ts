import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePrivate, makePrivateFolder } from '@guild-settings/sqlite-file';
import Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { PACKAGE_FOLDER } from '../package-folder.ts';

const MIGRATIONS = fileURLToPath(new URL('src/database/migrations', PACKAGE_FOLDER));

/** How long a statement waits for somebody who looks into the file, in milliseconds: nothing else runs meanwhile. */
const LOCK_TIMEOUT = 100;

/** Pages written, 16 MB, before they are brought home into the file: that takes milliseconds in which nothing else runs. */
const CHECKPOINT_PAGES = 16_000;

/** Bytes of a page in a new file. A record has some 300: of a larger page, each change would write the neighbours as well. */
const PAGE_BYTES = 1_024;

/** Bytes of the file that are read as memory, without a call of the system for each page. */
const MAPPED_BYTES = 256 * 1_024 * 1_024;

export type BotDatabase = BetterSQLite3Database & { readonly $client: Database.Database };

/** What a commit is worth: `on-disk` survives the loss of power, `in-order` may lose the newest commits to it. */
export type Durability = 'on-disk' | 'in-order';

/**
 * Opens the bot's file, made where there is none, and brings it to the newest schema.
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function openBotDatabase(path: string, durability: Durability): BotDatabase {
  makePrivateFolder(dirname(path));
  makePrivate(path);
  const client = new Database(path, { timeout: LOCK_TIMEOUT });
  try {
    client.pragma(`page_size = ${PAGE_BYTES}`);
    client.pragma('journal_mode = WAL');
    client.pragma(`mmap_size = ${MAPPED_BYTES}`);
    client.pragma(`synchronous = ${durability === 'on-disk' ? 'FULL' : 'NORMAL'}`);
    client.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    const db = drizzle(client);
    migrate(db, { migrationsFolder: MIGRATIONS });
    return db;
  } catch (error) {
    client.close();
    throw error;
  }
}
