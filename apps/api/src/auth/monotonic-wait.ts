import type { IBackoff, IBackoffFactory } from 'cockatiel';

/**
 * How long a circuit breaker stays open, by the monotonic clock. cockatiel compares `duration` with a difference of
 * wall-clock times, which a step of the clock makes negative or huge, so the duration here is infinite until the time is
 * over and negative afterwards.
 * @param durationMs milliseconds
 * @param monotonicMs monotonic time in milliseconds
 */
export function monotonicWait(durationMs: number, monotonicMs: () => number): IBackoffFactory<unknown> {
  const next = (): IBackoff<unknown> => {
    const endMs = monotonicMs() + durationMs;
    return {
      get duration() {
        return monotonicMs() < endMs ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
      },
      next,
    };
  };
  return { next };
}
