import Database from 'better-sqlite3';
import { DrizzleQueryError } from 'drizzle-orm';

export function isStoreFailure(error: unknown): boolean {
  return error instanceof DrizzleQueryError || error instanceof Database.SqliteError;
}
