import Database from 'better-sqlite3';
import { DrizzleQueryError } from 'drizzle-orm';

/** Returns true if an error is a failure of the database of sessions. */
export function isStoreFailure(error: unknown): boolean {
  return error instanceof DrizzleQueryError || error instanceof Database.SqliteError;
}
