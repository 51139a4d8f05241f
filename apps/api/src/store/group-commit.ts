import { setImmediate } from 'node:timers/promises';
import type { WriteOutcome, WriteRequest } from './decide-batch.ts';
import { StoreUnavailableError, type WriteResult } from './store.ts';

/** Requests in one transaction, and requests that wait for theirs. */
const BATCH = 200;
const MOST_WAITING = 10_000;

interface Waiting extends WriteRequest {
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes for one process: one transaction at a time, of all the requests that came during the one before, so that many
 * share the price of a commit. Nobody is answered before the commit that holds what they asked for.
 */
export class GroupCommit {
  readonly #commit: (batch: readonly WriteRequest[]) => Promise<readonly WriteOutcome[]>;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  /** @param commit writes a batch in one transaction; rejects when nothing of it was written, or nobody knows */
  constructor(commit: (batch: readonly WriteRequest[]) => Promise<readonly WriteOutcome[]>) {
    this.#commit = commit;
  }

  /** Resolves when it is committed. Rejects with what the decision or the commit throws. */
  write(request: WriteRequest): Promise<WriteResult> {
    if (this.#waiting.length >= MOST_WAITING) {
      return Promise.reject(new StoreUnavailableError('too many writes are waiting'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...request, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#writeBatch(this.#waiting.splice(0, BATCH));
    }
    this.#running = undefined;
  }

  /** Waits as long as each turn of the event loop brings somebody else along: together they pay for one commit. */
  async #gather(): Promise<void> {
    for (let before = 0; before < this.#waiting.length && before < BATCH; ) {
      before = this.#waiting.length;
      await setImmediate();
    }
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#commit(batch);
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
}
