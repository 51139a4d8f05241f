import type { Store, StoreCommand, WatcherRow, WriteOutcome } from '../store.ts';
import { encodeError, encodeOutcome } from './encoded-errors.ts';
import {
  type Answer,
  CALLED_METHODS,
  type Call,
  type RefusalCodec,
  type StoreMessage,
  type WorkerMessage,
} from './messages.ts';

/** The operations of a store that workers call, by name. */
type Operations = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** Connection to one worker. */
export interface WorkerLink {
  /** Handles a message of the worker. */
  receive(message: WorkerMessage): void;
  /** Sends nothing more to it. */
  close(): void;
}

/** How a {@link StoreServer} encodes refusals, and its callbacks. */
export interface StoreServerOptions {
  readonly refusals: RefusalCodec;
  /** Called after each commit. */
  readonly onCommit: () => void;
  /** Called with each message that a worker has broadcast. */
  readonly onMessage: (message: string) => void;
}

/**
 * Lets workers use the store of the first process, as PostgreSQL's server lets processes use its database: it does their
 * writes, announces commits to all of them, and passes on their messages.
 */
export class StoreServer<Command extends StoreCommand> {
  /** The store for the first process itself, which is one of several. */
  readonly store: Store<Command>;
  readonly #options: StoreServerOptions;
  readonly #operations: Operations;
  readonly #outboxes = new Set<Outbox>();
  /** Times that watchers were stored. */
  #watchersVersion = 0;
  /** The version at which each connected watcher was stored, by id. */
  readonly #connected = new Map<string, number>();

  constructor(opened: Store<Command>, options: StoreServerOptions) {
    const { refusals } = options;
    const store: Store<Command> = {
      ...opened,
      watchersVersion: async () => this.#watchersVersion,
      saveWatchers: async (rows: readonly WatcherRow[]) => {
        // None of them is deleted meanwhile.
        this.#noteConnected(rows, Number.POSITIVE_INFINITY);
        try {
          await opened.saveWatchers(rows);
        } finally {
          this.#watchersVersion += 1;
          this.#noteConnected(rows, this.#watchersVersion);
        }
      },
      deleteWatchers: async (ids, version) => {
        const gone = ids.filter((id) => (this.#connected.get(id) ?? 0) <= version);
        for (const id of gone) this.#connected.delete(id);
        await opened.deleteWatchers(gone, version);
      },
      broadcast: async (message) => this.#broadcast([message]),
    };
    this.store = store;
    this.#options = options;
    const encoded = async (outcomes: Promise<readonly WriteOutcome[]>) =>
      (await outcomes).map((outcome) => encodeOutcome(outcome, refusals));
    this.#operations = {
      ...Object.fromEntries(CALLED_METHODS.map((name) => [name, store[name] as Operations[string]])),
      writeAll: (commands: readonly Command[]) => encoded(store.writeAll(commands)),
    };
  }

  /** Announces a commit to all processes. Before its writes resolve: no answer arrives before the announcement. */
  committed(): void {
    this.#options.onCommit();
    for (const outbox of this.#outboxes) outbox.announceCommit();
  }

  /** Connects a worker. */
  connect(send: (message: StoreMessage) => void): WorkerLink {
    const outbox = new Outbox(send);
    this.#outboxes.add(outbox);
    return {
      receive: ({ calls, broadcasts }) => {
        for (const call of calls) void this.#answer(call, outbox);
        if (broadcasts.length === 0) return;
        for (const message of broadcasts) this.#options.onMessage(message);
        this.#broadcast(broadcasts, outbox);
      },
      close: () => {
        this.#outboxes.delete(outbox);
        outbox.close();
      },
    };
  }

  #noteConnected(rows: readonly WatcherRow[], version: number): void {
    for (const { id, leftAt } of rows) {
      if (leftAt === null) this.#connected.set(id, version);
      else this.#connected.delete(id);
    }
  }

  /** Sends messages to all workers except their sender. */
  #broadcast(messages: readonly string[], from?: Outbox): void {
    for (const outbox of this.#outboxes) if (outbox !== from) outbox.broadcast(messages);
  }

  async #answer({ id, method, args }: Call, outbox: Outbox): Promise<void> {
    try {
      const operation = Object.hasOwn(this.#operations, method) ? this.#operations[method] : undefined;
      if (operation === undefined) throw new Error(`Expected an operation that workers call, received ${method}`);
      outbox.answer({ id, result: await operation(...(args as never[])) });
    } catch (error) {
      outbox.answer({ id, error: encodeError(error, this.#options.refusals) });
    }
  }
}

/** What is to be sent to one worker. All that one commit causes is one message. */
class Outbox {
  readonly #send: (message: StoreMessage) => void;
  #isOpen = true;
  #isScheduled = false;
  #isCommitted = false;
  #broadcasts: string[] = [];
  #answers: Answer[] = [];

  constructor(send: (message: StoreMessage) => void) {
    this.#send = send;
  }

  announceCommit(): void {
    this.#isCommitted = true;
    this.#schedule();
  }

  broadcast(messages: readonly string[]): void {
    this.#broadcasts.push(...messages);
    this.#schedule();
  }

  answer(answer: Answer): void {
    this.#answers.push(answer);
    this.#schedule();
  }

  close(): void {
    this.#isOpen = false;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // After the microtasks of the commit, which answer all of its calls.
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    const message = { isCommitted: this.#isCommitted, broadcasts: this.#broadcasts, answers: this.#answers };
    this.#isScheduled = false;
    this.#isCommitted = false;
    this.#broadcasts = [];
    this.#answers = [];
    if (this.#isOpen) this.#send(message);
  }
}
