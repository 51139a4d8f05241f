import { type Cursor, LIMITS, type RejectedRecord, type Rejection } from '@guild-settings/contract';

/** The least pause between two acknowledgements, in milliseconds. */
const SHORTEST_PAUSE_MS = 25;

/** The longest pause that a service may request, in milliseconds. */
const LONGEST_PAUSE_MS = 1_000;

/** Pauses after failures, in milliseconds. */
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 30_000;

/** Rejections in one acknowledgement. With one more, the service could not know whether there are others. */
const MAX_REJECTIONS = LIMITS.rejections - 1;

/** What a process has in its file and in its memory: every change up to a cursor, except the rejected ones. */
export interface Acknowledged {
  /** The id of the process. */
  readonly id: string;
  readonly cursor: Cursor;
  readonly rejected: readonly Rejection[];
}

/** What the service says to an acknowledgement. */
export interface Receipt {
  /** Milliseconds since the newest of these changes; null: unknown. */
  readonly latencyMs: number | null;
  /** Milliseconds to wait before the next acknowledgement. */
  readonly pauseMs: number;
}

/** Sends an acknowledgement to the service. */
export type Acknowledge = (acknowledged: Acknowledged, options: { readonly signal: AbortSignal }) => Promise<Receipt>;

/** Options of an {@link Acknowledger}. */
export interface AcknowledgerOptions {
  readonly id: string;
  readonly acknowledge: Acknowledge;
  /** Returns milliseconds that never decrease. */
  readonly monotonic: () => number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Acknowledges what a replica has, in few calls: the first change at once, those after it together, after a pause that a busy
 * service makes longer. One call is under way at a time, and none while idle.
 */
export class Acknowledger {
  readonly #options: AcknowledgerOptions;
  /** What is to be acknowledged; undefined: nothing new. */
  #next: Acknowledged | undefined;
  #isRunning = false;
  #pauseMs = SHORTEST_PAUSE_MS;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #latencyMs = Number.NaN;
  /** Ends the pause after failures; undefined: there is none. */
  #endRetryPause: (() => void) | undefined;

  constructor(options: AcknowledgerOptions) {
    this.#options = options;
  }

  /** Milliseconds from the last change to its acknowledgement, by the clock of the service; NaN: unknown. */
  get latencyMs(): number {
    return this.#latencyMs;
  }

  /**
   * Acknowledges every change up to a cursor, which is in the file and in memory, except the rejected ones: up to the first one of
   * those that cannot be named, if there is one.
   */
  has(cursor: Cursor, rejected: readonly RejectedRecord[]): void {
    const { id } = this.#options;
    const inOrder = rejected.toSorted((a, b) => a.revision - b.revision);
    const unnamed = inOrder.findIndex(({ guild }, index) => guild === undefined || index === MAX_REJECTIONS);
    const named = unnamed === -1 ? inOrder : inOrder.slice(0, unnamed);
    const before = (inOrder[unnamed]?.revision ?? Number.POSITIVE_INFINITY) - 1;
    const revision = Math.max(0, Math.min(cursor.revision, before));
    this.#next = { id, cursor: { ...cursor, revision }, rejected: named.flatMap(rejectionOf) };
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  /**
   * Ends the pause after failures: a new connection shows that the service can be reached. Otherwise changes made after an outage
   * would be acknowledged only at the end of the pause, which the outage has made long.
   */
  retryNow(): void {
    this.#endRetryPause?.();
  }

  async #run(): Promise<void> {
    // Changes that were received together are acknowledged together.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await this.#sendAll();
    } finally {
      this.#isRunning = false;
    }
  }

  async #sendAll(): Promise<void> {
    const { monotonic, signal } = this.#options;
    for (let failures = 0; this.#next !== undefined && !signal.aborted; ) {
      const waitMs = this.#sentAtMs + this.#pauseMs - monotonic();
      if (waitMs > 0) await this.#sleep(waitMs, signal);
      if (signal.aborted) return;
      failures = (await this.#send(this.#next)) ? 0 : failures + 1;
      if (failures > 0) await this.#pauseAfter(failures);
    }
  }

  /** Returns whether the service has received it. */
  async #send(acknowledged: Acknowledged): Promise<boolean> {
    const { acknowledge, monotonic, signal } = this.#options;
    this.#sentAtMs = monotonic();
    try {
      const { latencyMs, pauseMs } = await acknowledge(acknowledged, { signal });
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, pauseMs));
      if (latencyMs !== null) this.#latencyMs = latencyMs;
    } catch {
      // That the service cannot be reached is reported by the stream of events.
      return false;
    }
    if (this.#next === acknowledged) this.#next = undefined;
    return true;
  }

  async #pauseAfter(failures: number): Promise<void> {
    const pause = new AbortController();
    this.#endRetryPause = () => pause.abort();
    const signal = AbortSignal.any([this.#options.signal, pause.signal]);
    await this.#sleep(Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures), signal);
    this.#endRetryPause = undefined;
  }

  /** Resolves after a time, or when the signal aborts. */
  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
    });
  }
}

/** Returns a rejection with a reason that the service accepts; none without a guild. */
function rejectionOf({ guild, revision, reason }: RejectedRecord): Rejection[] {
  const printable = reason.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ');
  const short = [...printable].slice(0, LIMITS.rejectionReason).join('');
  return guild === undefined ? [] : [{ guild, revision, reason: short || 'unknown' }];
}
