/** The two clocks of a process. */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970, for times that are stored or shown. An operator may step it. */
  readonly nowMs: () => number;
  /** Monotonic time in milliseconds from an arbitrary origin, for durations and deadlines. It never steps. */
  readonly monotonicMs: () => number;
}

/** The clocks of this machine. */
export const SYSTEM_CLOCK: Clock = { nowMs: Date.now, monotonicMs: () => performance.now() };
