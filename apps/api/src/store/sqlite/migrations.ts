import { fileURLToPath } from 'node:url';
import { firstMigrationOf, requireFirstMigration } from '@guild-settings/runtime/sqlite-file';
import type Database from 'better-sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { PACKAGE_FOLDER } from '../../package-folder.ts';
import { EARLIER_DATABASE_REMEDY } from '../store.ts';

export const MIGRATIONS = fileURLToPath(new URL('src/store/sqlite/migrations', PACKAGE_FOLDER));

/** Refuses a file whose tables this version does not read. @throws EarlierDatabaseError */
export function requireReadable(db: Database.Database, path: string): void {
  requireFirstMigration({
    database: `The database ${path}`,
    applied: firstMigrationOf(db),
    migrations: readMigrationFiles({ migrationsFolder: MIGRATIONS }),
    remedy: EARLIER_DATABASE_REMEDY,
  });
}
