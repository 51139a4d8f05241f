import { createRequire as requireFrom } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { SqliteDatabase } from './database.ts';
import { type TransactionOptions, transaction } from './transaction.ts';

/** The most writes between two checkpoints. */
const MAX_WRITES = 16;

/** Milliseconds that a checkpoint may keep the disk from the commits of requests. */
const CHECKPOINT_MS = 60;

/** Pages in the write-ahead log from which on it begins anew, long before SQLite would checkpoint it in a commit. */
const RESTART_PAGES = 12_000;

/**
 * What the thread runs: for each message a checkpoint, and a short one of what was written during the first, so that the
 * write-ahead log can begin anew. It answers with the pages in the log. It is text, so that the program stays one file.
 */
const CHECKPOINTS = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Database = require(workerData.driver);
  const db = new Database(workerData.path, { fileMustExist: true });
  parentPort.on('message', () => {
    let pages = 0;
    for (let times = 0; times < 2; times++) try { pages = db.pragma('wal_checkpoint(PASSIVE)')[0].log; } catch {}
    parentPort.postMessage(pages);
  });`;

/**
 * Writes of work that nobody waits for, in short transactions.
 *
 * They do not wait for the disk: what the loss of power undoes is done again, and the commit of a request is synced with
 * all that was written before it. They write pages all over the file, which a checkpoint syncs; it is made on a thread of
 * its own, where it holds up neither readers nor writers, and no further write begins before its end.
 * @see https://www.sqlite.org/wal.html#concurrency
 */
export class BackgroundWrites {
  readonly #db: SqliteDatabase;
  readonly #path: string;
  #worker: Worker | undefined;
  /** Writes since the last checkpoint, and how many there are until the next. A little work needs no thread. */
  #count = 0;
  #writes = MAX_WRITES;

  constructor(db: SqliteDatabase, path: string) {
    this.#db = db;
    this.#path = path;
  }

  /** Runs work in a transaction. It waits for the disk where `isSynced` says so. */
  async write<T>(work: () => T, options: TransactionOptions<T> = {}): Promise<T> {
    this.#count += 1;
    if (this.#count > this.#writes) await this.#checkpoint();
    return transaction(this.#db, work, { isSynced: false, ...options });
  }

  /** Ends the thread. It begins anew with the next checkpoint. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#count = 0;
    await worker?.terminate();
  }

  async #checkpoint(): Promise<void> {
    this.#worker ??= this.#start();
    const startedAt = performance.now();
    const pages = await pagesAfterCheckpoint(this.#worker);
    // The log begins anew once all of it is checkpointed: here nobody else writes before the next transaction does.
    if (pages > RESTART_PAGES) this.#db.$client.pragma('wal_checkpoint(PASSIVE)');
    const isLong = performance.now() - startedAt > CHECKPOINT_MS;
    this.#writes = isLong ? Math.max(1, Math.floor(this.#writes / 2)) : Math.min(MAX_WRITES, this.#writes + 1);
    this.#count = 1;
  }

  /** Starts the thread. One that fails, for want of a file descriptor for example, is replaced at the next checkpoint. */
  #start(): Worker {
    const worker = new Worker(CHECKPOINTS, {
      eval: true,
      workerData: { driver: requireFrom(import.meta.url).resolve('better-sqlite3'), path: this.#path },
    });
    const gone = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on('error', gone).on('exit', gone).unref();
    return worker;
  }
}

/** Has the thread make a checkpoint. Resolves with the pages in the log; with 0 where it fails: a later commit makes it. */
function pagesAfterCheckpoint(worker: Worker): Promise<number> {
  return new Promise((resolve) => {
    const done = (pages: unknown) => {
      worker.off('message', done).off('error', failed).off('exit', failed);
      resolve(typeof pages === 'number' ? pages : 0);
    };
    const failed = () => done(0);
    worker.on('message', done).on('error', failed).on('exit', failed);
    worker.postMessage('checkpoint');
  });
}
