import { createRequire as requireFrom } from 'node:module';
import { Worker } from 'node:worker_threads';
import { CHECKPOINT_PAGES, checkpointInCommits, type SqliteDatabase } from './database.ts';
import { type TransactionOptions, transaction } from './transaction.ts';

const MAX_WRITES = 8;

const MAX_CHECKPOINT_MS = 60;

/** A write-ahead log of more pages than this restarts from its first page after a checkpoint. */
const RESTART_PAGES = 2_000;

/**
 * The program of the checkpoint thread. For each message it checkpoints twice: the second, short checkpoint covers what was
 * written during the first. It restarts a long log under the lock of writers, who retry for some milliseconds without
 * blocking the event loop. The first commit after a restart syncs the log's header, so the thread makes that commit as well.
 * The program is a string, so that the api stays one file.
 */
const CHECKPOINTS = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Database = require(workerData.driver);
  const db = new Database(workerData.path, { fileMustExist: true, timeout: 20 });
  db.pragma('synchronous = NORMAL');
  const checkpoint = (mode) => db.pragma('wal_checkpoint(' + mode + ')')[0];
  parentPort.on('message', () => {
    try {
      checkpoint('PASSIVE');
      let state = checkpoint('PASSIVE');
      if (state.log > workerData.restartPages) state = checkpoint('RESTART');
      if (state.log === state.checkpointed) db.exec('UPDATE meta SET last_revision = last_revision');
    } catch {}
    parentPort.postMessage('done');
  });`;

/**
 * Writes of background work, in short transactions.
 *
 * They do not wait for the disk: what a loss of power undoes is repeated, and the commit of a request syncs all that was
 * written before it. They write pages all over the file, which a checkpoint syncs. The checkpoint runs on a thread of its
 * own, where it blocks neither readers nor writers, and no further background write begins before its end.
 * @see https://www.sqlite.org/wal.html#concurrency
 */
export class BackgroundWrites {
  readonly #db: SqliteDatabase;
  readonly #path: string;
  #worker: Worker | undefined;
  #count = 0;
  /** Writes until the next checkpoint. A few writes start no thread. */
  #limit = MAX_WRITES;

  constructor(db: SqliteDatabase, path: string) {
    this.#db = db;
    this.#path = path;
  }

  /** Runs work in a transaction. Its commit waits for the disk if `isSynced` is set. */
  async write<T>(work: () => T, options: TransactionOptions<T> = {}): Promise<T> {
    this.#count += 1;
    if (this.#count > this.#limit) await this.#checkpoint();
    return transaction(this.#db, work, { isSynced: false, ...options });
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#count = 0;
    checkpointInCommits(this.#db, CHECKPOINT_PAGES);
    await worker?.terminate();
  }

  async #checkpoint(): Promise<void> {
    this.#worker ??= this.#start();
    const startedAt = performance.now();
    await checkpointOn(this.#worker);
    const isLong = performance.now() - startedAt > MAX_CHECKPOINT_MS;
    this.#limit = isLong ? Math.max(1, Math.floor(this.#limit / 2)) : Math.min(MAX_WRITES, this.#limit + 1);
    this.#count = 1;
  }

  /** Starts the thread. One that fails, for lack of a file descriptor for example, is replaced at the next checkpoint. */
  #start(): Worker {
    const worker = new Worker(CHECKPOINTS, {
      eval: true,
      workerData: {
        driver: requireFrom(import.meta.url).resolve('better-sqlite3'),
        path: this.#path,
        restartPages: RESTART_PAGES,
      },
    });
    const gone = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on('error', gone).on('exit', gone).unref();
    // A checkpoint inside a commit blocks the event loop. The remaining limit is for a thread that fails.
    checkpointInCommits(this.#db, 4 * CHECKPOINT_PAGES);
    return worker;
  }
}

/** Resolves after the checkpoint of the thread. A later commit makes up for a checkpoint that failed. */
function checkpointOn(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      worker.off('message', done).off('error', done).off('exit', done);
      resolve();
    };
    worker.on('message', done).on('error', done).on('exit', done);
    worker.postMessage('checkpoint');
  });
}
