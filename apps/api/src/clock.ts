export interface Clock {
  /** Wall-clock time in milliseconds since 1970, for times that are stored or shown. An operator may step it. */
  readonly nowMs: () => number;
  /** Monotonic time in milliseconds from an arbitrary origin, for durations and deadlines. It never steps. */
  readonly monotonicMs: () => number;
}

/**
 * The origin of `performance.now` in the time of {@link process.hrtime}, which is the same for all processes of the
 * machine.
 */
const STARTED_AT_MS = Number(process.hrtime.bigint()) / 1_000_000 - performance.now();

/**
 * The clocks of this machine. The monotonic time is the same in all processes, so a deadline may be sent to another
 * process.
 */
export const SYSTEM_CLOCK: Clock = { nowMs: Date.now, monotonicMs: () => STARTED_AT_MS + performance.now() };

/**
 * Returns a function that resolves when a piece of work may begin: one per turn of the event loop, in call order, so
 * that other requests are handled in between.
 */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => void setImmediate(resolve)));
    return last;
  };
}
