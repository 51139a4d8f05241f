import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { temporaryFile } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { openDatabase } from '../store/sqlite/database.ts';

let migrated: Buffer | undefined;

/** Writes an empty, migrated database to a path, which takes a fraction of the time of a new one's migrations. */
export function writeMigratedFile(path: string): void {
  migrated ??= readMigratedFile();
  writeFileSync(path, migrated, { mode: 0o600 });
}

function readMigratedFile(): Buffer {
  using file = temporaryFile();
  openDatabase(file.path).$client.close();
  return readFileSync(file.path);
}

/** Overwrites a page of a closed database: of this number, or the one in which a table or index of this name begins. */
export function damagePage(path: string, which: number | string): void {
  const db = new Database(path, { readonly: true });
  const rootOf = db.prepare<[string], number>('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck();
  const page = typeof which === 'number' ? which : rootOf.get(which);
  const pageBytes = db.pragma('page_size', { simple: true }) as number;
  db.close();
  if (page === undefined) throw new Error(`Expected a table or index ${which}, found none`);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (page - 1) * pageBytes);
  closeSync(file);
}

/** A row of the change log, as it is in the database file. */
export interface ChangeRow {
  readonly revision: number;
  readonly guild_id: string;
  readonly at: number;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly origin: string;
  readonly reason: string | null;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Reads the change log after a revision, the whole of it unless given, from the database file of a service that runs. */
export function readChanges({ databasePath }: { readonly databasePath: string }, after = 0): ChangeRow[] {
  const db = new Database(databasePath, { readonly: true });
  try {
    const rows = db.prepare('SELECT * FROM changes WHERE revision > ? ORDER BY revision').all(after) as (Omit<
      ChangeRow,
      'before' | 'after'
    > & {
      before: string;
      after: string;
    })[];
    return rows.map((row) => ({
      ...row,
      before: JSON.parse(row.before),
      after: JSON.parse(row.after),
    }));
  } finally {
    db.close();
  }
}
