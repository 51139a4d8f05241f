import { setImmediate } from 'node:timers/promises';
import { type StoreCommand, StoreUnavailableError, type WriteOutcome, type WriteResult } from './store.ts';

const MAX_BATCH_GUILDS = 200;

const MAX_WAITING = 10_000;

/**
 * Writes a batch of commands in one transaction. `take` returns the batch, the same one at each call; the later the first
 * call, the more commands it holds. Rejects when nothing of it was written, or when the outcome is unknown.
 */
export type Commit<Command> = (take: () => readonly Command[]) => Promise<readonly WriteOutcome[]>;

interface Waiting<Command> {
  readonly commands: readonly Command[];
  readonly resolve: (outcomes: readonly WriteOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Write queue of one process: one transaction at a time, of all the commands that arrived during the one before, so that
 * many share the cost of a commit. A write resolves after the commit that holds it, never before.
 */
export class WriteQueue<Command extends StoreCommand> {
  readonly #commit: Commit<Command>;
  readonly #isBlocking: boolean;
  readonly #waiting: Waiting<Command>[] = [];
  #running: Promise<void> | undefined;

  /**
   * @param isBlocking whether a commit blocks the event loop; otherwise the next batch gathers during this one's commit
   */
  constructor(commit: Commit<Command>, { isBlocking }: { readonly isBlocking: boolean }) {
    this.#commit = commit;
    this.#isBlocking = isBlocking;
  }

  /** Resolves when the command is committed. Rejects with what its interpretation or the commit throws. */
  async write(command: Command): Promise<WriteResult> {
    const [outcome] = await this.writeAll([command]);
    if (outcome === undefined) throw new Error('Expected an outcome for each write');
    if ('refusal' in outcome) throw outcome.refusal;
    return outcome.result;
  }

  /** Resolves when the commands are committed in one transaction. Rejects with what the commit throws. */
  writeAll(commands: readonly Command[]): Promise<readonly WriteOutcome[]> {
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new StoreUnavailableError('too many writes are waiting'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ commands, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  get waiting(): number {
    return this.#waiting.length;
  }

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

  /** Waits as long as each turn of the event loop adds commands: together they cost one commit. */
  async #gather(): Promise<void> {
    for (let before = 0; before < this.#waiting.length && before < MAX_BATCH_GUILDS; ) {
      before = this.#waiting.length;
      await setImmediate();
    }
  }

  /** Counts the waiting commands that fit into one transaction: it stays short when each names many guilds. */
  #fitting(): number {
    let guilds = 0;
    const tooMany = this.#waiting.findIndex(({ commands }) => {
      for (const { guildIds } of commands) guilds += guildIds.length;
      return guilds > MAX_BATCH_GUILDS;
    });
    return tooMany < 0 ? this.#waiting.length : Math.max(1, tooMany);
  }

  async #writeBatch(): Promise<void> {
    let batch: readonly Waiting<Command>[] | undefined;
    const take = () => {
      batch ??= this.#waiting.splice(0, this.#fitting());
      return batch;
    };
    try {
      const outcomes = await this.#commit(() => take().flatMap(({ commands }) => commands));
      let done = 0;
      for (const { commands, resolve } of take()) {
        resolve(outcomes.slice(done, done + commands.length));
        done += commands.length;
      }
    } catch (error) {
      for (const { reject } of take()) reject(error);
    }
  }
}
