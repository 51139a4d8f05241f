/** Acknowledgements that one process takes in a second, more or less: a small part of what it can do. */
const PER_SECOND = 125;

const WINDOW_MS = 1_000;

/** The longest pause, in milliseconds. */
const LONGEST_PAUSE_MS = 1_000;

/**
 * Determines how long watchers wait before their next acknowledgement. With few active watchers that is no time. Many of them
 * share what the service takes in a second, so that changes are not slowed down by their acknowledgements.
 */
export class AcknowledgementPace {
  readonly #monotonicMs: () => number;
  #active = new Set<object>();
  #activeBefore = 0;
  #windowMs = Number.NEGATIVE_INFINITY;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Counts an acknowledgement of a watcher. Returns the milliseconds to wait before its next one. */
  count(watcher: object): number {
    const nowMs = this.#monotonicMs();
    const passed = Math.floor((nowMs - this.#windowMs) / WINDOW_MS);
    if (passed > 0) {
      this.#activeBefore = passed === 1 ? this.#active.size : 0;
      this.#active = new Set();
      this.#windowMs = nowMs;
    }
    this.#active.add(watcher);
    const active = Math.max(this.#activeBefore, this.#active.size);
    return Math.min(LONGEST_PAUSE_MS, Math.floor((active * WINDOW_MS) / PER_SECOND));
  }
}
