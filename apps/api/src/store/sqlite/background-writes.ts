import { Worker } from 'node:worker_threads';
import type { CheckpointThreadData } from './checkpoint-thread.ts';
import {
  CHECKPOINT_PAGES,
  checkpointInCommits,
  type SqliteDatabase,
  type TransactionOptions,
  transaction,
} from './database.ts';

const MAX_WRITES = 8;

const MAX_CHECKPOINT_MS = 60;

const RESTART_PAGES = 2_000;

/** The program of the checkpoint thread: the source file beside this one, or its build. */
const CHECKPOINT_THREAD = new URL(
  `./checkpoint-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/**
 * Writes of background work, in short transactions.
 *
 * They do not wait for the disk: work that a power loss undoes is repeated, and the commit of a request also syncs
 * everything written before it. They write pages throughout the file, which a checkpoint syncs. The checkpoint runs on
 * a separate thread, where it blocks neither readers nor writers; background writes wait for its end.
 * @see https://www.sqlite.org/wal.html#concurrency
 */
export class BackgroundWrites {
  readonly #db: SqliteDatabase;
  readonly #path: string;
  #worker: Worker | undefined;
  #count = 0;
  /** Writes until the next checkpoint. The thread is not started for a few writes. */
  #limit = MAX_WRITES;

  constructor(db: SqliteDatabase, path: string) {
    this.#db = db;
    this.#path = path;
  }

  /** Runs work in a transaction. With `isSynced`, its commit waits for the disk. */
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

  /** Starts the thread. If it fails, for example without a file descriptor, the next checkpoint starts another one. */
  #start(): Worker {
    const workerData: CheckpointThreadData = { path: this.#path, restartPages: RESTART_PAGES };
    const worker = new Worker(CHECKPOINT_THREAD, { workerData });
    const gone = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on('error', gone).on('exit', gone).unref();
    // A checkpoint inside a commit blocks the event loop. The remaining limit applies if the thread fails.
    checkpointInCommits(this.#db, 4 * CHECKPOINT_PAGES);
    return worker;
  }
}

/** Resolves after the checkpoint of the thread. A later commit compensates for a failed checkpoint. */
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
