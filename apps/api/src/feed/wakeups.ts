/** Wakes waiting watches after a commit. A wake-up carries no data: a woken watch reads the feed. */
export class Wakeups {
  readonly #waiting = new Set<() => void>();
  #count = 0;

  /** The number of wake-ups so far. A watch reads it before a page, and passes it to the {@link wait} after that page. */
  get count(): number {
    return this.#count;
  }

  /** Resolves every wait. */
  wake(): void {
    this.#count += 1;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Resolves after a wake-up beyond `count`, after a timeout, or when the signal aborts, whichever is first. */
  wait(count: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#count !== count || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      signal.addEventListener('abort', done, { once: true });
      this.#waiting.add(done);
    });
  }
}
