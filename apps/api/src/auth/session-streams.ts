import { setImmediate } from 'node:timers/promises';

/** Longest time for which the streams of an ended session stay open if the notification is lost. */
const CHECK_INTERVAL_MS = 1_000;

/** Sessions per query: some milliseconds of the event loop on SQLite. */
const SLICE = 300;

/**
 * The open streams of this process by session. A stream ends at once when this process ends its session, or is notified
 * that another process has. `check` finds sessions that have expired, and those that ended while notifications were
 * lost.
 */
export class SessionStreams {
  readonly #streams = new Map<string, Set<() => void>>();
  readonly #timer: NodeJS.Timeout;
  readonly #existing: (idHashes: string[]) => Promise<readonly { readonly idHash: string }[]>;
  #isChecking = false;

  /**
   * @param existing returns which of the sessions are not over. Streams stay open while it fails: the sessions cannot
   * change anything then.
   */
  constructor(existing: (idHashes: string[]) => Promise<readonly { readonly idHash: string }[]>) {
    this.#existing = existing;
    this.#timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Adds a stream. @param onEnd called once, when its session has ended @returns a function that removes the stream */
  open(idHash: string, onEnd: () => void): () => void {
    const streams = this.#streams.get(idHash) ?? new Set();
    this.#streams.set(idHash, streams.add(onEnd));
    return () => {
      streams.delete(onEnd);
      if (streams.size === 0 && this.#streams.get(idHash) === streams) this.#streams.delete(idHash);
    };
  }

  end(idHash: string): void {
    const streams = this.#streams.get(idHash) ?? [];
    this.#streams.delete(idHash);
    for (const onEnd of streams) onEnd();
  }

  async check(): Promise<void> {
    const open = [...this.#streams.keys()];
    if (open.length === 0 || this.#isChecking) return;
    this.#isChecking = true;
    try {
      for (let start = 0; start < open.length; start += SLICE) {
        const slice = open.slice(start, start + SLICE);
        const alive = new Set((await this.#existing(slice)).map(({ idHash }) => idHash));
        for (const idHash of slice) if (!alive.has(idHash)) this.end(idHash);
        await setImmediate();
      }
    } catch {
      // Failures of the store are logged by the health check.
    } finally {
      this.#isChecking = false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
