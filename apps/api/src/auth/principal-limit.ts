import { ProblemError } from '@guild-settings/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Principal, principalKey } from './principal.ts';

const WINDOW_SECONDS = 60;

/** Where a principal stands within its limit. */
export interface RateLimitState {
  /** Calls in a window. */
  readonly limit: number;
  /** Seconds of a window. */
  readonly window: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
}

/** Counts the calls of each principal. */
export interface PrincipalLimit {
  /** Whether calls are counted at all. */
  readonly isOn: boolean;
  /**
   * Counts one call and tells how things stand, also when it refuses. Without a limit it tells nothing.
   * @throws ProblemError rate-limited
   */
  spend(principal: Principal, tell: (state: RateLimitState) => void): Promise<void>;
}

/** A limit of so many calls a minute for each principal; 0 for none. */
export function createPrincipalLimit(perMinute: number): PrincipalLimit {
  if (perMinute === 0) return { isOn: false, spend: async () => {} };
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  const state = (result: RateLimiterRes): RateLimitState => ({
    limit: perMinute,
    window: WINDOW_SECONDS,
    remaining: Math.max(0, result.remainingPoints),
    // The limiter measures by the wall clock: after a step of it, never longer than a window.
    reset: Math.min(WINDOW_SECONDS, Math.max(0, Math.ceil(result.msBeforeNext / 1_000))),
  });
  return {
    isOn: true,
    async spend(principal, tell) {
      try {
        tell(state(await limiter.consume(principalKey(principal))));
      } catch (result) {
        if (!(result instanceof RateLimiterRes)) throw result;
        const spent = state(result);
        tell(spent);
        throw new ProblemError('rate-limited', { retryAfter: Math.max(1, spent.reset) });
      }
    },
  };
}
