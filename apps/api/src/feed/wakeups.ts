/** Wakes those who wait for news. A wake-up carries nothing: whoever is woken reads what there is. */
export class Wakeups {
  readonly #waiting = new Set<() => void>();
  #count = 0;

  /** How often there was news. Taken before reading, it tells a wait afterwards what came in between. */
  get count(): number {
    return this.#count;
  }

  /** There is news. */
  wake(): void {
    this.#count += 1;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Resolves as soon as there was news after `count`, after so many milliseconds, or when the signal aborts. */
  wait(count: number, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#count !== count || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener('abort', done, { once: true });
      this.#waiting.add(done);
    });
  }
}
