/** Time between two runs: a rewritten database must not be rewritten again for each of many erasures. */
const INTERVAL_MS = 60_000;

/** Time before a run: erasures of this time share it. */
const DELAY_MS = 1_000;

/** Removes what erased rows have left in free space of a database, in the background, some time after each erasure. */
export class CleanUp {
  readonly #run: () => Promise<boolean>;
  readonly #onError: (error: unknown) => void;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #endedAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  /** @param run does it once, and returns whether anything was left */
  constructor(run: () => Promise<boolean>, onError: (error: unknown) => void) {
    this.#run = run;
    this.#onError = onError;
  }

  /** Runs soon: in a second, or a minute after the last run. A call during a run makes another one. */
  request(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    const delayMs = this.#running === undefined ? this.#endedAtMs + INTERVAL_MS - performance.now() : INTERVAL_MS;
    this.#timer = setTimeout(() => this.#start(), Math.max(DELAY_MS, delayMs));
    this.#timer.unref();
  }

  /** Requests no more. Resolves after the current run. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #start(): void {
    this.#timer = undefined;
    this.#running = (this.#running ?? Promise.resolve())
      .then(() => this.#run())
      .then((wasNeeded) => {
        if (wasNeeded) this.#endedAtMs = performance.now();
      })
      .catch(this.#onError)
      .finally(() => {
        this.#running = undefined;
      });
  }
}
