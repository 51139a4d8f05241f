/**
 * The open streams of this process by session. A stream ends at once when this process ends its session, and within the interval
 * of `check` when another process does, or when the session expires.
 */
export class OpenStreams {
  readonly #streams = new Map<string, Set<() => void>>();
  readonly #check: NodeJS.Timeout;

  /**
   * @param existing returns which of the sessions are not over
   * @param onError called when that could not be read. The streams stay open: without the database nothing can be changed.
   */
  constructor(existing: (idHashes: string[]) => Promise<readonly string[]>, onError: (error: unknown) => void) {
    let isRunning = false;
    const check = async () => {
      const open = [...this.#streams.keys()];
      if (open.length === 0 || isRunning) return;
      isRunning = true;
      try {
        const alive = new Set(await existing(open));
        for (const idHash of open) if (!alive.has(idHash)) this.end(idHash);
      } catch (error) {
        onError(error);
      } finally {
        isRunning = false;
      }
    };
    this.#check = setInterval(() => void check(), CHECK_INTERVAL_MS);
    this.#check.unref();
  }

  /** Adds a stream. @returns removes it again */
  add(idHash: string, end: () => void): () => void {
    const streams = this.#streams.get(idHash) ?? new Set();
    this.#streams.set(idHash, streams.add(end));
    return () => {
      streams.delete(end);
      if (streams.size === 0 && this.#streams.get(idHash) === streams) this.#streams.delete(idHash);
    };
  }

  /** Ends the streams of a session. */
  end(idHash: string): void {
    const streams = this.#streams.get(idHash) ?? [];
    this.#streams.delete(idHash);
    for (const end of streams) end();
  }

  /** Ends all streams. */
  close(): void {
    clearInterval(this.#check);
    for (const idHash of [...this.#streams.keys()]) this.end(idHash);
  }
}

/** The longest time until a session that another process has ended has no stream in this one. */
const CHECK_INTERVAL_MS = 1_000;
