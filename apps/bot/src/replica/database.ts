import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';

/** Two folders up lies the package, whether this runs from src or from dist. */
const MIGRATIONS = fileURLToPath(new URL('../../src/replica/migrations', import.meta.url));

/** How long a statement waits for somebody who looks into the file, in milliseconds: nothing else runs meanwhile. */
const LOCK_TIMEOUT = 100;

export type ReplicaDatabase = BetterSQLite3Database & { readonly $client: Database.Database };

/**
 * Opens a replica's file, made where there is none, and brings it to the newest schema. What it holds can be fetched
 * again, so a commit need not be on the disk at once (synchronous=NORMAL): a loss of power costs the newest changes, and
 * the cursor that is lost with them fetches them again.
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function openReplicaDatabase(path: string): ReplicaDatabase {
  mkdirSync(dirname(path), { recursive: true });
  const client = new Database(path, { timeout: LOCK_TIMEOUT });
  try {
    client.pragma('journal_mode = WAL');
    client.pragma('synchronous = NORMAL');
    const db = drizzle(client);
    migrate(db, { migrationsFolder: MIGRATIONS });
    return db;
  } catch (error) {
    client.close();
    throw error;
  }
}
