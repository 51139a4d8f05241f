import { closeSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';

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
