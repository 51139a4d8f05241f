import { SessionOverError } from './session.ts';

/** Thrown into streams when the process shuts down. */
class ShutdownError extends Error {
  override readonly name = 'ShutdownError';

  constructor() {
    super('The dashboard shuts down');
  }
}

export interface SessionStream {
  /** Aborted by a `SessionOverError` when the session ends, and by a `ShutdownError` when the process does. */
  readonly signal: AbortSignal;
  close(): void;
}

/**
 * The open streams of this process by session. A stream ends at once when this process ends its session, or is notified that
 * another process has. `check` finds sessions that have expired, and those that ended while there were no notifications.
 */
export class OpenStreams {
  readonly #streams = new Map<string, Set<AbortController>>();
  readonly #timer: NodeJS.Timeout;
  readonly #existing: (idHashes: string[]) => Promise<readonly string[]>;
  readonly #onError: (error: unknown) => void;
  #isChecking = false;
  #isClosed = false;

  /**
   * @param existing returns which of the sessions are not over
   * @param onError called when that could not be read. The streams stay open: without the database nothing can be changed.
   */
  constructor(existing: (idHashes: string[]) => Promise<readonly string[]>, onError: (error: unknown) => void) {
    this.#existing = existing;
    this.#onError = onError;
    this.#timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  get size(): number {
    return [...this.#streams.values()].reduce((sum, { size }) => sum + size, 0);
  }

  open(idHash: string): SessionStream {
    const controller = new AbortController();
    const streams = this.#streams.get(idHash) ?? new Set();
    this.#streams.set(idHash, streams.add(controller));
    if (this.#isClosed) controller.abort(new ShutdownError());
    return {
      signal: controller.signal,
      close: () => {
        streams.delete(controller);
        if (streams.size === 0 && this.#streams.get(idHash) === streams) this.#streams.delete(idHash);
      },
    };
  }

  end(idHash: string): void {
    this.#abort(idHash, new SessionOverError());
  }

  async check(): Promise<void> {
    const open = [...this.#streams.keys()];
    if (open.length === 0 || this.#isChecking) return;
    this.#isChecking = true;
    try {
      const alive = new Set(await this.#existing(open));
      for (const idHash of open) if (!alive.has(idHash)) this.end(idHash);
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#isChecking = false;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const idHash of [...this.#streams.keys()]) this.#abort(idHash, new ShutdownError());
  }

  #abort(idHash: string, reason: Error): void {
    const streams = this.#streams.get(idHash) ?? [];
    this.#streams.delete(idHash);
    for (const controller of streams) controller.abort(reason);
  }
}

/** The longest time until a session that has ended without a notification has no stream. */
const CHECK_INTERVAL_MS = 1_000;
