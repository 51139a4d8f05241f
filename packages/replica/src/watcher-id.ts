import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';

/** Returns the id by which the service knows the process of a file. It is the same as long as the file is. */
export function readWatcherId(db: Database): string {
  const read = db.prepare<[], string>('SELECT id FROM watcher').pluck();
  const write = db.prepare<[string]>('INSERT INTO watcher (id) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM watcher)');
  const known = read.get();
  if (known !== undefined) return known;
  const id = randomUUID();
  write.run(id);
  return id;
}
