import type { IBackoff, IBackoffFactory } from 'cockatiel';

/**
 * Returns the time for which a circuit breaker stays open, by the monotonic clock. cockatiel compares `duration` with a
 * difference of wall-clock times, which is wrong after the clock was set. So the duration is infinite until the time is over,
 * and negative afterwards.
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
