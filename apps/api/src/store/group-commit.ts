import { setImmediate } from 'node:timers/promises';
import type { WriteOutcome, WriteRequest } from './decide-batch.ts';
import { StoreUnavailableError, type WriteResult } from './store.ts';

/** Guilds in one transaction, where more than one request shares it, and requests that wait for theirs. */
const BATCH = 200;
const MOST_WAITING = 10_000;

/**
 * Writes a batch in one transaction. `take` gives the batch, the same one however often it is called; the later the first
 * call, the more have come along. Rejects when nothing of it was written, or nobody knows.
 */
export type Commit = (take: () => readonly WriteRequest[]) => Promise<readonly WriteOutcome[]>;

interface Waiting extends WriteRequest {
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes for one process: one transaction at a time, of all the requests that came during the one before, so that many
 * share the price of a commit. Nobody is answered before the commit that holds what they asked for.
 */
export class GroupCommit {
  readonly #commit: Commit;
  readonly #isBlocking: boolean;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  /**
   * @param isBlocking whether nobody is heard meanwhile; otherwise the next batch gathers during this one's commit
   */
  constructor(commit: Commit, { isBlocking }: { readonly isBlocking: boolean }) {
    this.#commit = commit;
    this.#isBlocking = isBlocking;
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
      if (this.#isBlocking) await this.#gather();
      await this.#writeBatch();
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

  /** Counts the waiting requests that fit into one transaction: it stays short when each is about many guilds. */
  #fitting(): number {
    let guilds = 0;
    const tooMany = this.#waiting.findIndex(({ guildIds }) => {
      guilds += guildIds.length;
      return guilds > BATCH;
    });
    return tooMany < 0 ? this.#waiting.length : Math.max(1, tooMany);
  }

  async #writeBatch(): Promise<void> {
    let batch: readonly Waiting[] | undefined;
    const take = () => {
      batch ??= this.#waiting.splice(0, this.#fitting());
      return batch;
    };
    try {
      const outcomes = await this.#commit(take);
      for (const [index, { resolve, reject }] of take().entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) reject(new Error('a write without an outcome'));
        else if ('refusal' in outcome) reject(outcome.refusal);
        else resolve(outcome.result);
      }
    } catch (error) {
      for (const { reject } of take()) reject(error);
    }
  }
}
