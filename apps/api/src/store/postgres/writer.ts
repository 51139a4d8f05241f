import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import pg from 'pg';
import type { AppliedBatch } from '../batch.ts';
import type { ErasureCipher } from '../erasure/erasure-cipher.ts';
import type { ErasureRow } from '../erasure/erasure-rows.ts';
import {
  type ApplyCommand,
  type StoreCommand,
  StoreUnavailableError,
  type WriteOutcome,
  type WriteResult,
  WriteUnconfirmedError,
} from '../store.ts';
import { WriteQueue } from '../write-queue.ts';
import type { PostgresDatabase } from './database.ts';
import { checkMeta, type LockedMeta, selectMeta } from './epochs.ts';
import { isConnectionLost } from './failures.ts';
import { type SendCommit, type Transaction, transactWith } from './transaction.ts';
import { prepareBatch, sendBatch, wasCommitted } from './write-batch.ts';

/** Time for which a write is retried. A request does not wait much longer. */
const RETRY_TIMEOUT_MS = 4_000;

function retryUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + RETRY_TIMEOUT_MS;
  const isRetried = (error: Error) => error instanceof StoreUnavailableError && performance.now() < endMs;
  const backoff = new ExponentialBackoff({ initialDelay: 50, maxDelay: 1_000 });
  return retry(handleWhen(isRetried), { maxAttempts: 10, backoff }).execute(work);
}

/**
 * Returns true if the server has refused a statement, and with it the COMMIT behind it. A pooler that has lost the
 * server reports that for the first statement without a response: the COMMIT may have been executed.
 */
function isStatementRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity !== 'FATAL' && !isConnectionLost(error);
}

interface WriterOptions<Command extends StoreCommand> {
  readonly db: PostgresDatabase;
  readonly apply: ApplyCommand<Command>;
  readonly cipher: ErasureCipher;
  readonly onErasure: (row: ErasureRow) => void;
}

/** Write queue of one process. The lock of `meta` orders the writes of several processes. */
export class Writer<Command extends StoreCommand = never> {
  readonly #db: PostgresDatabase;
  readonly #apply: ApplyCommand<Command>;
  readonly #cipher: ErasureCipher;
  readonly #onErasure: (row: ErasureRow) => void;
  readonly #queue = new WriteQueue<Command>((take) => this.#commit(take), { isBlocking: false });

  constructor({ db, apply, cipher, onErasure }: WriterOptions<Command>) {
    this.#db = db;
    this.#apply = apply;
    this.#cipher = cipher;
    this.#onErasure = onErasure;
  }

  /** Resolves when the command is committed. Rejects with what its interpretation throws, or with StoreUnavailableError. */
  write(command: Command): Promise<WriteResult> {
    return this.#queue.write(command);
  }

  /** Resolves when the commands are committed in one transaction. Rejects with StoreUnavailableError. */
  writeAll(commands: readonly Command[]): Promise<readonly WriteOutcome[]> {
    return this.#queue.writeAll(commands);
  }

  /** Runs other work under the lock of writers, with the newest revision. */
  exclusively<T>(work: (tx: Transaction, lastRevision: number) => Promise<T>): Promise<T> {
    return retryUnavailable(() => this.#transaction((tx, { lastRevision }) => work(tx, lastRevision)));
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Commits a batch. When the outcome of a try is unknown, the next one reads it under the lock before it writes. */
  async #commit(take: () => readonly Command[]): Promise<readonly WriteOutcome[]> {
    let unconfirmed: AppliedBatch | undefined;
    try {
      const written = await retryUnavailable(() =>
        this.#transaction(async (tx, bounds, sendCommit) => {
          if (unconfirmed !== undefined && (await wasCommitted(tx, unconfirmed))) return unconfirmed;
          unconfirmed = undefined;
          const batch = await prepareBatch(tx, take(), { apply: this.#apply, cipher: this.#cipher, ...bounds });
          unconfirmed = batch;
          await sendBatch(tx, batch, sendCommit).catch((error: unknown) => {
            if (isStatementRefused(error)) unconfirmed = undefined;
            throw error;
          });
          return batch;
        }),
      );
      for (const { row } of written.erasures) this.#onErasure(row);
      return written.outcomes;
    } catch (error) {
      const mayHaveWritten = unconfirmed !== undefined && unconfirmed.changes.length > 0;
      if (!mayHaveWritten || !(error instanceof StoreUnavailableError)) throw error;
      throw new WriteUnconfirmedError(error.message, { cause: error });
    }
  }

  #transaction<T>(work: (tx: Transaction, bounds: LockedMeta, sendCommit: SendCommit) => Promise<T>): Promise<T> {
    return transactWith(this.#db, 'write', {
      first: selectMeta,
      rest: async (tx, found, sendCommit) => work(tx, await checkMeta(tx, found), sendCommit),
    });
  }
}
