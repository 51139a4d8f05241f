/** Newest commits whose times are known: those of a second and more at the highest rate of changes. */
const CAPACITY = 8_192;

/** The index of a commit that is not known, beyond the arrays: what is written there is ignored. */
const UNKNOWN = CAPACITY;

/** Stands for a revision where there is none: revision 0 are the defaults. */
const NONE = -1;

/** The acknowledgement of a commit by one watcher. */
export interface TimedAcknowledgement {
  /** Milliseconds since the commit. */
  readonly latencyMs: number;
  /** Whether no other watcher has to acknowledge the commit. */
  readonly isLast: boolean;
}

/**
 * The times of the newest commits, by revision, and how many watchers have not acknowledged each. Times are monotonic, in
 * milliseconds.
 *
 * They are in arrays of numbers, which are used again: an object for each commit lives until its last acknowledgement, and the
 * garbage collector copies it meanwhile.
 */
export class CommitTimes {
  readonly #revisions = new Float64Array(CAPACITY).fill(NONE);
  readonly #committedAtMs = new Float64Array(CAPACITY);
  /** Time from the commit to the last acknowledgement so far; `NaN`: there was none. */
  readonly #latencyMs = new Float64Array(CAPACITY);
  readonly #missing = new Uint16Array(CAPACITY);

  /** Adds a commit. Returns false when it is known already, or is too old. */
  add(revision: number, committedAtMs: number): boolean {
    const slot = revision % CAPACITY;
    if (revision <= (this.#revisions[slot] ?? NONE)) return false;
    this.#revisions[slot] = revision;
    this.#committedAtMs[slot] = committedAtMs;
    this.#latencyMs[slot] = Number.NaN;
    this.#missing[slot] = 0;
    return true;
  }

  /** Forgets every commit: their history has ended. */
  clear(): void {
    this.#revisions.fill(NONE);
  }

  /** Returns the milliseconds from a commit to its last acknowledgement so far; null: unknown. */
  latencyMs(revision: number): number | null {
    const latencyMs = this.#latencyMs[this.#slotOf(revision)] ?? Number.NaN;
    return Number.isNaN(latencyMs) ? null : latencyMs;
  }

  /** Adds a watcher that has to acknowledge a commit. */
  expect(revision: number): void {
    const slot = this.#slotOf(revision);
    this.#missing[slot] = (this.#missing[slot] ?? 0) + 1;
  }

  /** Records an acknowledgement that was received before this process knew of the commit, at some time before this one. */
  wasAcknowledged(revision: number, nowMs: number): void {
    const slot = this.#slotOf(revision);
    if (Number.isNaN(this.#latencyMs[slot])) this.#latencyMs[slot] = this.#sinceCommit(slot, nowMs);
  }

  /** Records the acknowledgement of an expected watcher. Returns undefined when the commit is no longer known. */
  acknowledge(revision: number, nowMs: number): TimedAcknowledgement | undefined {
    const slot = this.#slotOf(revision);
    if (slot === UNKNOWN) return undefined;
    const latencyMs = this.#sinceCommit(slot, nowMs);
    this.#latencyMs[slot] = latencyMs;
    this.forgo(revision);
    return { latencyMs, isLast: this.#missing[slot] === 0 };
  }

  /** Stops waiting for one expected watcher. */
  forgo(revision: number): void {
    const slot = this.#slotOf(revision);
    this.#missing[slot] = (this.#missing[slot] ?? 0) - 1;
  }

  #sinceCommit(slot: number, nowMs: number): number {
    return Math.max(0, nowMs - (this.#committedAtMs[slot] ?? nowMs));
  }

  #slotOf(revision: number): number {
    const slot = revision % CAPACITY;
    return this.#revisions[slot] === revision ? slot : UNKNOWN;
  }
}
