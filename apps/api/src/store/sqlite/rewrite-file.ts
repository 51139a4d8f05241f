import { once } from 'node:events';
import { createRequire as requireFrom } from 'node:module';
import { Worker } from 'node:worker_threads';

/**
 * The program of the thread: rewrites the file without its free space, and empties the write-ahead log. It is a string, so
 * that the api stays one file.
 */
const REWRITE = `
  const { workerData } = require('node:worker_threads');
  const Database = require(workerData.driver);
  const db = new Database(workerData.path, { fileMustExist: true, timeout: 10000 });
  db.pragma('secure_delete = ON');
  db.exec('VACUUM');
  const [{ busy }] = db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  if (busy) throw new Error('Expected to empty the write-ahead log, found readers of it for 10 s');`;

/**
 * Rewrites a SQLite file: `secure_delete` overwrites deleted rows, but not the copies of rows that SQLite leaves in pages when
 * it moves rows between pages. It runs on a thread of its own. Reads continue meanwhile, and writes wait.
 * @see https://www.sqlite.org/pragma.html#pragma_secure_delete
 * @throws when the file is in use by a writer or a reader for longer than 10 s
 */
export async function rewriteFile(path: string): Promise<void> {
  const driver = requireFrom(import.meta.url).resolve('better-sqlite3');
  // `once` rejects with the error of the thread.
  await once(new Worker(REWRITE, { eval: true, workerData: { driver, path } }), 'exit');
}
