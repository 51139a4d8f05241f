/** Calls of a principal. */
export interface CountedCalls {
  /** Identifies the principal. */
  readonly key: string;
  calls: number;
  /** Monotonic time in milliseconds at which the principal's window ends. */
  endsAtMs: number;
}

/**
 * Shares the counts of one of several processes: takes a function that receives the calls which another process has counted, and
 * returns one that sends those of this process.
 */
export type ShareCalls = (receive: ReceiveCalls) => ReceiveCalls;

/** Receives calls that were not sent before. */
export type ReceiveCalls = (counted: readonly CountedCalls[]) => void;

/** The longest time for which other processes do not know of a call. */
const SEND_AFTER_MS = 10;

/** The calls that this process has counted and the others do not know of yet. They are sent together. */
export class UnsentCalls {
  readonly #send: ReceiveCalls;
  readonly #calls = new Map<string, CountedCalls>();

  constructor(send: ReceiveCalls) {
    this.#send = send;
  }

  /** Adds a call of a principal, whose window ends at this monotonic time in milliseconds. */
  add(key: string, endsAtMs: number): void {
    if (this.#calls.size === 0) setTimeout(() => this.#flush(), SEND_AFTER_MS).unref();
    const counted = this.#calls.get(key);
    if (counted === undefined) this.#calls.set(key, { key, calls: 1, endsAtMs });
    else {
      counted.calls += 1;
      counted.endsAtMs = endsAtMs;
    }
  }

  #flush(): void {
    const counted = [...this.#calls.values()];
    this.#calls.clear();
    this.#send(counted);
  }
}
