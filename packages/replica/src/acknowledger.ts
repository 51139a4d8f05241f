import { randomUUID } from 'node:crypto';
import { type Cursor, LIMITS, type RejectedRecord, type Rejection } from '@guild-settings/contract';

const PAUSE_MS = 250;

const LONGEST_RETRY_MS = 30_000;

/** Time limit of a leave: a process that ends does not wait for a service that does not respond. */
const LEAVE_TIMEOUT_MS = 1_000;

/** The changes that a process has in its file and in memory: all up to a cursor, except the rejected ones. */
export interface Acknowledged {
  readonly id: string;
  /** Identifies this opening of the file. */
  readonly run: string;
  /** Absent: none. */
  readonly cursor?: Cursor;
  readonly rejected: Rejection[];
  /** True: the last message of the run. Changes no longer wait for the process. */
  readonly leaves?: boolean;
}

/** Sends an acknowledgement. Returns the milliseconds since the commit of its newest change; null: unknown. */
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
 * Acknowledges a replica's changes with few calls: the first change at once, later ones together after a pause. One
 * call runs at a time, and none while idle.
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
   * Acknowledges every change up to a cursor that is in the file and in memory, except the rejected ones. If there are
   * too many to list, acknowledges up to the first unlisted one.
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
   * Ends the pause after failures, because a new connection shows that the service can be reached. Otherwise changes
   * made after an outage would only be acknowledged at the end of a pause that has become long.
   */
  retryNow(): void {
    this.#endPause();
  }

  /**
   * Leaves the service, with a last acknowledgement. Tries once, for a limited time: otherwise the service notices the
   * end itself.
   */
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

  /** Returns true if the service has received the acknowledgement. */
  async #send(acknowledged: Acknowledged): Promise<boolean> {
    const { acknowledge, signal } = this.#options;
    try {
      this.#latencyMs = (await acknowledge(acknowledged, { signal })) ?? this.#latencyMs;
    } catch {
      // The event stream reports that the service cannot be reached.
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

/** Returns a rejection with a reason that the service accepts; undefined without a guild. */
function rejectionOf({ guild, revision, reason }: RejectedRecord): Rejection[] {
  const printable = reason.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ');
  const short = [...printable].slice(0, LIMITS.rejectionReason).join('');
  return guild === undefined ? [] : [{ guild, revision, reason: short || 'unknown' }];
}
