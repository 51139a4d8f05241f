import { dirname } from 'node:path';
// biome-ignore lint/correctness/noUndeclaredDependencies: The build copies it into dist.
import { lockFile, makePrivate, makePrivateFolder } from '@guild-settings/runtime/sqlite-file';
import Database from 'better-sqlite3';
import { createTables } from './schema.ts';

/** How long a statement waits for another connection's lock, in milliseconds. The event loop waits meanwhile. */
const LOCK_TIMEOUT_MS = 100;

/** Pages of the write-ahead log, 16 MB, before a checkpoint: it takes milliseconds in which the event loop waits. */
const CHECKPOINT_PAGES = 16_000;

/** Bytes of a page in a new file. A record has some 300: with larger pages each change would write its neighbours as well. */
const PAGE_BYTES = 1_024;

/** Bytes of the file that are read as memory, without a system call for each page. */
const MAPPED_BYTES = 256 * 1_024 * 1_024;

/**
 * Locks and opens the file of a replica, creates it if there is none, and discards what a version with another schema has stored.
 *
 * Its contents can be fetched again, so a commit need not be on the disk at once: a loss of power costs the newest changes,
 * and the cursor that is lost with them fetches them again.
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 * @throws FileInUseError when another process has the file open
 */
export function openDatabase(path: string): { readonly db: Database.Database; close(): void } {
  // Two processes that follow different guilds would delete each other's records.
  const unlock = lockFile(path);
  let db: Database.Database | undefined;
  const close = () => {
    db?.close();
    unlock();
  };
  try {
    makePrivateFolder(dirname(path));
    makePrivate(path);
    db = new Database(path, { timeout: LOCK_TIMEOUT_MS });
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma('journal_mode = WAL');
    db.pragma(`mmap_size = ${MAPPED_BYTES}`);
    db.pragma('synchronous = NORMAL');
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    createTables(db);
    return { db, close };
  } catch (error) {
    close();
    throw error;
  }
}
