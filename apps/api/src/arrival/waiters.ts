export class Waiters {
  readonly #waiters = new Set<{ readonly isSettled: () => boolean; readonly end: () => void }>();

  /** Resolves when {@link endSettled} or {@link endAll} ends the wait, after a time in milliseconds, or when a signal aborts. */
  async wait(isSettled: () => boolean, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted || waitMs <= 0) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        this.#waiters.delete(waiter);
        resolve();
      };
      const waiter = { isSettled, end };
      const timer = setTimeout(end, waitMs);
      signal?.addEventListener('abort', end);
      this.#waiters.add(waiter);
    });
  }

  endSettled(): void {
    for (const { isSettled, end } of this.#waiters) if (isSettled()) end();
  }

  endAll(): void {
    for (const { end } of this.#waiters) end();
  }
}
