import { randomUUID } from 'node:crypto';
import type { ReplicaDatabase } from './database.ts';
import { watcher } from './schema.ts';

/**
 * Returns the id by which the service knows the process of a file. It is the same as long as the file is.
 * @param known the id of the process, for a new file
 */
export function readWatcherId(db: ReplicaDatabase, known: string = randomUUID()): string {
  const { id } = db.select().from(watcher).get() ?? db.insert(watcher).values({ id: known }).returning().get();
  return id;
}
