import { StoreUnavailableError } from '../store.ts';
import { decodeError } from './encoded-errors.ts';
import type { Answer, Call, CalledMethod, RefusalCodec, StoreMessage, WorkerMessage } from './messages.ts';

/** Calls that wait for their answers. */
const MAX_PENDING = 10_000;

/** Calls from which on a message is sent without waiting for more. */
const MAX_GATHERED = 200;

/** How a {@link StoreClient} sends messages, and its callbacks. */
export interface StoreClientOptions {
  readonly send: (message: WorkerMessage) => void;
  readonly refusals: RefusalCodec;
  /** Called when any process may have committed changes. */
  readonly onCommit: () => void;
  /** Called with each message that another process has broadcast. */
  readonly onMessage: (message: string) => void;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Calls the store of the first process. Calls of one iteration of the event loop, and of those after it as long as each adds
 * some, are one message. A call whose answer never arrives does not resolve: the worker ends with the first process, and the
 * connections of its clients with it.
 */
export class StoreClient {
  readonly #options: StoreClientOptions;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  #calls: Call[] = [];
  #broadcasts: string[] = [];
  #isScheduled = false;

  constructor(options: StoreClientOptions) {
    this.#options = options;
  }

  /** The number of calls that wait for their answers. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Calls an operation. Rejects with the error of the operation. */
  call(method: CalledMethod, args: readonly unknown[]): Promise<unknown> {
    if (this.#pending.size >= MAX_PENDING) {
      return Promise.reject(new StoreUnavailableError('too many calls of the first process are waiting'));
    }
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#pending.set(id, { resolve, reject });
      this.#calls.push({ id, method, args });
      this.#schedule();
    });
  }

  /** Sends a message to the other processes. */
  broadcast(message: string): void {
    this.#broadcasts.push(message);
    this.#schedule();
  }

  /** Handles a message of the first process. The commits before an answer are announced with it, or before. */
  receive({ isCommitted, broadcasts, answers }: StoreMessage): void {
    if (isCommitted) this.#options.onCommit();
    for (const message of broadcasts) this.#options.onMessage(message);
    for (const answer of answers) this.#settle(answer);
  }

  #settle(answer: Answer): void {
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if ('error' in answer) pending?.reject(decodeError(answer.error, this.#options.refusals));
    else pending?.resolve(answer.result);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#gather(0);
  }

  /** Waits as long as each iteration adds calls: together they cost one message and one commit. */
  #gather(before: number): void {
    setImmediate(() => {
      const { length } = this.#calls;
      if (length > before && length < MAX_GATHERED) this.#gather(length);
      else this.#flush();
    });
  }

  #flush(): void {
    const message = { calls: this.#calls, broadcasts: this.#broadcasts };
    this.#isScheduled = false;
    this.#calls = [];
    this.#broadcasts = [];
    this.#options.send(message);
  }
}
