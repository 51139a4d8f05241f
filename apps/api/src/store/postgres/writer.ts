import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import type { AppliedBatch, WriteOutcome } from '../apply-batch.ts';
import { GroupCommit } from '../group-commit.ts';
import {
  type ApplyCommand,
  type StoreCommand,
  StoreUnavailableError,
  type WriteResult,
  WriteUnconfirmedError,
} from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { lockMeta } from './epochs.ts';
import { type Transaction, transact } from './transaction.ts';
import { wasCommitted, writeBatch } from './write-batch.ts';

/** For how long a write is tried again, in milliseconds: callers do not wait much longer than that. */
const PATIENCE = 4_000;

/** Tries again what failed because the server could not be heard: it may be back in a moment. */
function again<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE;
  const mayHelp = (error: Error) => error instanceof StoreUnavailableError && performance.now() < end;
  const backoff = new ExponentialBackoff({ initialDelay: 50, maxDelay: 1_000 });
  return retry(handleWhen(mayHelp), { maxAttempts: 10, backoff }).execute(work);
}

/** Writes for one process. Writers of several processes are put in order by the lock of `meta`. */
export class Writer<Command extends StoreCommand = never> {
  readonly #db: PostgresDatabase;
  readonly #apply: ApplyCommand<Command>;
  readonly #group = new GroupCommit<Command>((take) => this.#commit(take), { isBlocking: false });

  constructor(db: PostgresDatabase, apply: ApplyCommand<Command>) {
    this.#db = db;
    this.#apply = apply;
  }

  /** Resolves when the command is committed. Rejects with what its interpretation throws, or with StoreUnavailableError. */
  write(command: Command): Promise<WriteResult> {
    return this.#group.write(command);
  }

  /** Does something else under the same lock, with the newest revision before it. */
  exclusively<T>(work: (tx: Transaction, lastRevision: number) => Promise<T>): Promise<T> {
    return again(() => this.#transaction(work));
  }

  /** Resolves when nothing is being written. */
  idle(): Promise<void> {
    return this.#group.idle();
  }

  /** When nobody heard how the last try ended, the next one finds out, under the lock, before it writes anything. */
  async #commit(take: () => readonly Command[]): Promise<readonly WriteOutcome[]> {
    let unheard: AppliedBatch | undefined;
    try {
      const written = await again(() =>
        this.#transaction(async (tx, lastRevision) => {
          if (unheard !== undefined && (await wasCommitted(tx, unheard))) return unheard;
          unheard = await writeBatch(tx, { commands: take(), apply: this.#apply, lastRevision });
          return unheard;
        }),
      );
      return written.outcomes;
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
