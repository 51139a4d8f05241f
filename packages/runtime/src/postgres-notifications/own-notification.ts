import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { NotificationsLostError } from './notifications-lost-error.ts';

const TIMEOUT_MS = 2_000;

/** A notification that a process sends to itself at its start, which shows whether notifications arrive. */
export class OwnNotification {
  /** Channel of those of all processes. */
  static readonly channel = 'notification_check';

  /** Resolves when the notification has arrived. */
  readonly arrived: Promise<void>;
  readonly #pool: pg.Pool;
  readonly #timeoutMs: number;
  readonly #payload = randomUUID();
  #isSent = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #resolve = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(pool: pg.Pool, timeoutMs: number = TIMEOUT_MS) {
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
    this.arrived = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Sends it once, on a connection of the pool. */
  send(): void {
    if (this.#isSent) return;
    this.#isSent = true;
    const sent = this.#pool.query('SELECT pg_notify($1, $2)', [OwnNotification.channel, this.#payload]);
    sent.then(
      () => {
        // Received bytes are processed first: a process that was busy all the time has not read them yet.
        if (this.#isOver) return;
        const over = () => setImmediate(() => this.fail(new NotificationsLostError(this.#timeoutMs)));
        this.#timer = setTimeout(over, this.#timeoutMs);
      },
      (error: unknown) => this.fail(error),
    );
  }

  receive(payload: string): void {
    if (payload !== this.#payload) return;
    this.#end();
    this.#resolve();
  }

  /** Rejects `arrived`, unless it has arrived. */
  fail(reason: unknown): void {
    this.#end();
    this.#reject(reason);
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
