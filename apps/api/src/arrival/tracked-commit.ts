/** A commit whose acknowledgements are timed. Times are monotonic, in milliseconds. */
export class TrackedCommit {
  readonly revision: number;
  readonly committedAtMs: number;
  /** Watchers that have not acknowledged it. */
  #missing = 0;
  #latencyMs: number | null = null;

  constructor(committedAtMs: number, revision: number) {
    this.revision = revision;
    this.committedAtMs = committedAtMs;
  }

  /** Milliseconds from the commit to the last acknowledgement so far; null: there was none. */
  get latencyMs(): number | null {
    return this.#latencyMs;
  }

  /** Adds a watcher that has to acknowledge it. */
  expect(): void {
    this.#missing += 1;
  }

  /** Records an acknowledgement that was received before this process knew of the commit, at some time before this one. */
  wasAcknowledgedBy(nowMs: number): void {
    this.#latencyMs ??= Math.max(0, nowMs - this.committedAtMs);
  }

  /** Records an acknowledgement. Returns whether it was the last one. */
  acknowledge(nowMs: number): boolean {
    this.#latencyMs = Math.max(0, nowMs - this.committedAtMs);
    return this.forgo();
  }

  /** Stops waiting for one watcher. Returns whether none is left. */
  forgo(): boolean {
    this.#missing -= 1;
    return this.#missing === 0;
  }
}
