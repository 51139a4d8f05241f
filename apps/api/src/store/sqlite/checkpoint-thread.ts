import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

export interface CheckpointThreadData {
  readonly path: string;
  /** A write-ahead log with more pages than this restarts from its first page after a checkpoint. */
  readonly restartPages: number;
}

/** SQLite's result of a checkpoint. @see https://www.sqlite.org/pragma.html#pragma_wal_checkpoint */
interface CheckpointState {
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * The program of the checkpoint thread. For each message it checkpoints twice: the second, short checkpoint covers what
 * was written during the first. It restarts a long log under the lock of writers, who retry for some milliseconds
 * without blocking the event loop. The first commit after a restart syncs the log's header, so the thread also makes
 * that commit.
 */
const { path, restartPages } = workerData as CheckpointThreadData;
const db = new Database(path, { fileMustExist: true, timeout: 20 });
db.pragma('synchronous = NORMAL');
const checkpoint = (mode: 'PASSIVE' | 'RESTART') => (db.pragma(`wal_checkpoint(${mode})`) as [CheckpointState])[0];

parentPort?.on('message', () => {
  try {
    checkpoint('PASSIVE');
    let state = checkpoint('PASSIVE');
    if (state.log > restartPages) state = checkpoint('RESTART');
    if (state.log === state.checkpointed) db.exec('UPDATE meta SET last_revision = last_revision');
  } catch {
    // A later commit compensates for it.
  }
  parentPort?.postMessage('done');
});
