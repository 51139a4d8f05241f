import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { StoreUnavailableError, type WriteResult, WriteUnconfirmedError } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { lockMeta } from './epoch.ts';
import { notify } from './listener.ts';
import { type Transaction, transact } from './transaction.ts';
import { type WriteRequest, type WrittenBatch, wasCommitted, writeBatch } from './write-batch.ts';

/** Requests in one transaction, and requests that wait for theirs. */
const BATCH = 200;
const MOST_WAITING = 10_000;

interface Waiting extends WriteRequest {
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/** For how long a write is tried again, in milliseconds: callers do not wait much longer than that. */
const PATIENCE = 4_000;

/** Tries again what failed because the server could not be heard: it may be back in a moment. */
function again<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE;
  const mayHelp = (error: Error) => error instanceof StoreUnavailableError && performance.now() < end;
  const backoff = new ExponentialBackoff({ initialDelay: 50, maxDelay: 1_000 });
  return retry(handleWhen(mayHelp), { maxAttempts: 10, backoff }).execute(work);
}

/**
 * Writes for one process: one transaction at a time, of all the requests that came during the one before. Writers of
 * several processes are put in order by the lock of `meta`.
 */
export class Writer {
  readonly #db: PostgresDatabase;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(db: PostgresDatabase) {
    this.#db = db;
  }

  /** Resolves when it is committed. Rejects with what the decision throws, or with StoreUnavailableError. */
  write(request: WriteRequest): Promise<WriteResult> {
    if (this.#waiting.length >= MOST_WAITING) {
      return Promise.reject(new StoreUnavailableError('PostgreSQL: too many writes are waiting'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...request, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Does something else under the same lock, with the newest revision before it. */
  exclusively<T>(work: (tx: Transaction, lastRevision: number) => Promise<T>): Promise<T> {
    return again(() => this.#transaction(work));
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeBatch(this.#waiting.splice(0, BATCH));
    this.#running = undefined;
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const { outcomes } = await this.#commit(batch);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) reject(new Error('a write without an outcome'));
        else if ('refusal' in outcome) reject(outcome.refusal);
        else resolve(outcome.result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** When nobody heard how the last try ended, the next one finds out, under the lock, before it writes anything. */
  async #commit(batch: readonly WriteRequest[]): Promise<WrittenBatch> {
    let unheard: WrittenBatch | undefined;
    try {
      return await again(() =>
        this.#transaction(async (tx, lastRevision) => {
          if (unheard !== undefined && (await wasCommitted(tx, unheard))) return unheard;
          unheard = await writeBatch(tx, batch, lastRevision);
          if (unheard.changes.length > 0) await notify(tx);
          return unheard;
        }),
      );
    } catch (error) {
      const mayHaveWritten = unheard !== undefined && unheard.changes.length > 0;
      if (!mayHaveWritten || !(error instanceof StoreUnavailableError)) throw error;
      throw new WriteUnconfirmedError(error.message, { cause: error });
    }
  }

  #transaction<T>(work: (tx: Transaction, lastRevision: number) => Promise<T>): Promise<T> {
    return transact(this.#db, 'write', async (tx) => work(tx, await lockMeta(tx)));
  }
}
