import type Database from 'better-sqlite3';

/** Thrown for a database whose schema this version does not read. The message names the database and says what to do. */
export class EarlierDatabaseError extends Error {
  override readonly name = 'EarlierDatabaseError';
}

interface Origin {
  /** Names the database in the message, such as `The database /data/api.db`. */
  readonly database: string;
  /** The hash of the first migration that was applied to the database; undefined: none was. */
  readonly applied: string | undefined;
  /** The migrations of this version, the first one first: those of drizzle's `readMigrationFiles`. */
  readonly migrations: readonly { readonly hash: string }[];
  /** The instruction to the operator, instead of opening the database. */
  readonly remedy: string;
}

/**
 * Refuses a database that began with another migration than the first one of this version, before drizzle's migrator fails at its
 * tables. Until 1.0.0, each change of a schema replaces its one migration. Migrations that a newer version has added are accepted.
 * @throws EarlierDatabaseError
 */
export function requireFirstMigration({ database, applied, migrations, remedy }: Origin): void {
  if (applied === undefined || applied === migrations[0]?.hash) return;
  throw new EarlierDatabaseError(
    `${database} was made by a version before 1.0.0, which this one cannot read. ${remedy}`,
  );
}

/**
 * Returns the hash of the first migration that was applied to a SQLite database; undefined: none was.
 * @param table of drizzle's migrator
 */
export function firstMigrationOf(db: Database.Database, table = '__drizzle_migrations'): string | undefined {
  const exists = db.prepare<[string]>('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
  if (!exists) return undefined;
  return db.prepare<[], string>(`SELECT hash FROM "${table}" ORDER BY created_at LIMIT 1`).pluck().get();
}
