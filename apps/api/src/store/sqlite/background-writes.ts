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

/** The program of the checkpoint thread: the source beside this one, or what was built from it. */
const CHECKPOINT_THREAD = new URL(
  `./checkpoint-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

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
    const workerData: CheckpointThreadData = { path: this.#path, restartPages: RESTART_PAGES };
    const worker = new Worker(CHECKPOINT_THREAD, { workerData });
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
