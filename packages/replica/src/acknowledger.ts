import { randomUUID } from 'node:crypto';
import { type Cursor, LIMITS, type RejectedRecord, type Rejection } from '@guild-settings/contract';

const PAUSE_MS = 250;

const LONGEST_RETRY_MS = 30_000;

/** The longest time that a leave may take: a process that ends does not wait for a service that does not respond. */
const LEAVE_TIMEOUT_MS = 1_000;

/** The changes that a process has in its file and in its memory: all up to a cursor, except the rejected ones. */
export interface Acknowledged {
  readonly id: string;
  /** Identifies this opening of the file. */
  readonly run: string;
  /** Absent: none. */
  readonly cursor?: Cursor;
  readonly rejected: Rejection[];
  /** True: the last message of the run. No change is awaited from the process any more. */
  readonly leaves?: boolean;
}

/** Sends an acknowledgement. Returns milliseconds from the newest of its changes to its receipt; null: unknown. */
export type Acknowledge = (
  acknowledged: Acknowledged,
  options: { readonly signal: AbortSignal },
) => Promise<number | null>;

export interface AcknowledgerOptions {
  readonly id: string;
  readonly acknowledge: Acknowledge;
  readonly signal: AbortSignal;
}

/**
 * Acknowledges what a replica has, in few calls: the first change at once, those that follow it together after a pause. One call is
 * under way at a time, and none while idle.
 */
export class Acknowledger {
  readonly run = randomUUID();
  readonly #options: AcknowledgerOptions;
  #newest: Acknowledged;
  /** The next acknowledgement to send; undefined: nothing new. */
  #next: Acknowledged | undefined;
  #isRunning = false;
  #latencyMs = Number.NaN;
  #endPause = () => {};

  constructor(options: AcknowledgerOptions) {
    this.#options = options;
    this.#newest = { id: options.id, run: this.run, rejected: [] };
    options.signal.addEventListener('abort', () => this.#endPause(), { once: true });
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
    const inOrder = rejected.toSorted((a, b) => a.revision - b.revision);
    const unnamed = inOrder.findIndex(({ guild }, index) => guild === undefined || index === LIMITS.rejections);
    const named = unnamed === -1 ? inOrder : inOrder.slice(0, unnamed);
    const before = (inOrder[unnamed]?.revision ?? Number.POSITIVE_INFINITY) - 1;
    const revision = Math.max(0, Math.min(cursor.revision, before));
    this.#newest = { ...this.#newest, cursor: { ...cursor, revision }, rejected: named.flatMap(rejectionOf) };
    this.#next = this.#newest;
    if (!this.#isRunning) void this.#run();
  }

  /**
   * Ends the pause after failures: a new connection shows that the service can be reached. Otherwise changes made after an outage
   * would be acknowledged only at the end of the pause, which the outage has made long.
   */
  retryNow(): void {
    this.#endPause();
  }

  /** Takes leave of the service, with what the process has. Tries it once, for a limited time: the service notices the end otherwise. */
  async leave(): Promise<void> {
    const timeout = new AbortController();
    const isOver = new Promise<void>((resolve) => timeout.signal.addEventListener('abort', () => resolve()));
    const timer = setTimeout(() => timeout.abort(), LEAVE_TIMEOUT_MS);
    const { acknowledge } = this.#options;
    const left = acknowledge({ ...this.#newest, leaves: true }, { signal: timeout.signal }).catch(() => {});
    await Promise.race([left, isOver]);
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    const { signal } = this.#options;
    this.#isRunning = true;
    // Changes that were received together are acknowledged together.
    await new Promise((resolve) => setImmediate(resolve));
    for (let failures = 0; this.#next !== undefined && !signal.aborted; ) {
      failures = (await this.#send(this.#next)) ? 0 : failures + 1;
      await this.#pause(Math.min(LONGEST_RETRY_MS, PAUSE_MS * 2 ** failures));
    }
    this.#isRunning = false;
  }

  /** Returns whether the service has received it. */
  async #send(acknowledged: Acknowledged): Promise<boolean> {
    const { acknowledge, signal } = this.#options;
    try {
      this.#latencyMs = (await acknowledge(acknowledged, { signal })) ?? this.#latencyMs;
    } catch {
      // The stream of events reports that the service cannot be reached.
      return false;
    }
    if (this.#next === acknowledged) this.#next = undefined;
    return true;
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#options.signal.aborted) this.#endPause();
    });
  }
}

/** Returns a rejection with a reason that the service accepts; none without a guild. */
function rejectionOf({ guild, revision, reason }: RejectedRecord): Rejection[] {
  const printable = reason.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ');
  const short = [...printable].slice(0, LIMITS.rejectionReason).join('');
  return guild === undefined ? [] : [{ guild, revision, reason: short || 'unknown' }];
}
