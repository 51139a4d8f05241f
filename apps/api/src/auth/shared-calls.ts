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

/** Takes calls that were not told before. */
export type ReceiveCalls = (counted: readonly CountedCalls[]) => void;

/** The longest time for which other processes do not know of a call. */
const TELL_AFTER_MS = 10;

/** The calls that this process has counted and the others do not know of yet. They are told together. */
export class UntoldCalls {
  readonly #tell: ReceiveCalls;
  readonly #calls = new Map<string, CountedCalls>();

  constructor(tell: ReceiveCalls) {
    this.#tell = tell;
  }

  /** Adds a call of a principal, whose window ends at this monotonic time in milliseconds. */
  add(key: string, endsAtMs: number): void {
    if (this.#calls.size === 0) setTimeout(() => this.#flush(), TELL_AFTER_MS).unref();
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
    this.#tell(counted);
  }
}
