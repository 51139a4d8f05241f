import { closeSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Overwrites the page of a closed database in which a table or index begins. */
export function damagePage(path: string, name: string): void {
  const db = new Database(path, { readonly: true });
  const page = db.prepare<[string], number>('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(name);
  const pageBytes = db.pragma('page_size', { simple: true }) as number;
  db.close();
  if (page === undefined) throw new Error(`Expected a table or index ${name}, found none`);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (page - 1) * pageBytes);
  closeSync(file);
}
