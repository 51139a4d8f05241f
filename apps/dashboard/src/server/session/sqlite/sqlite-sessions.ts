import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  firstMigrationOf,
  lockFile,
  makePrivate,
  makePrivateFolder,
  requireFirstMigration,
  resolveFile,
} from '@guild-settings/runtime/sqlite-file';
import Database from 'better-sqlite3';
import type { SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { PACKAGE_FOLDER } from '../../../package-folder.ts';
import type { Clock } from '../../clock.ts';
import { type SessionDatabase, sessionQueries } from '../session-queries.ts';
import { EARLIER_SESSIONS_REMEDY, type SessionStore } from '../session-store.ts';
import { sessions } from './schema.ts';

const MIGRATIONS = fileURLToPath(new URL('src/server/session/sqlite/migrations', PACKAGE_FOLDER));

/**
 * Opens the sessions in a SQLite file, which is created if it does not exist, and locks it against other processes. A commit
 * survives the loss of power: Discord accepts a refresh token once.
 * @throws FileInUseError when another process uses the file
 * @throws EarlierDatabaseError for a file that a version before 1.0.0 has made
 */
export function openSqliteSessions(path: string, clock: Clock): SessionStore {
  const file = resolveFile(path);
  makePrivateFolder(dirname(file));
  const release = lockFile(file);
  try {
    makePrivate(file);
    const client = new Database(file);
    client.pragma('journal_mode = WAL');
    client.pragma('synchronous = FULL');
    client.pragma('secure_delete = ON');
    requireFirstMigration({
      database: `The file of sessions ${file}`,
      applied: firstMigrationOf(client),
      migrations: readMigrationFiles({ migrationsFolder: MIGRATIONS }),
      remedy: EARLIER_SESSIONS_REMEDY,
    });
    migrate(drizzle(client), { migrationsFolder: MIGRATIONS });
    return sqliteSessions(client, { clock, release });
  } catch (error) {
    release();
    throw error;
  }
}

function sqliteSessions(
  client: Database.Database,
  { clock, release }: { readonly clock: Clock; readonly release: () => void },
): SessionStore {
  const db = drizzle(client);
  const end = async (which: SQL | undefined) =>
    (await db.delete(sessions).where(which).returning({ idHash: sessions.idHash })).map(({ idHash }) => idHash);
  // Drizzle builds the queries for both databases in the same way, by types that have nothing in common.
  const database = { db, sessions, now: (laterMs: number) => clock() + laterMs, end } as unknown as SessionDatabase;
  return {
    ...sessionQueries(database),
    async followEnds() {},
    async close() {
      client.close();
      release();
    },
  };
}
