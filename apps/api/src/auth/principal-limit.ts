import { ProblemError } from '@guild-settings/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Principal } from './principal.ts';

const WINDOW_SECONDS = 60;

/** State of a principal's rate limit. */
export interface RateLimitState {
  /** Calls per window. */
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Time until the window ends. */
  readonly resetSeconds: number;
}

/** Counts the calls of each principal. */
export interface PrincipalLimit {
  /** Whether calls are limited. */
  readonly isOn: boolean;
  /**
   * Counts one call.
   * @param onState called with the state after the call, also when the call is refused; not called without a limit
   * @throws ProblemError rate-limited
   */
  spend(principal: Principal, onState: (state: RateLimitState) => void): Promise<void>;
}

/** Creates a limit of calls per minute for each principal; 0: no limit. */
export function createPrincipalLimit(perMinute: number): PrincipalLimit {
  if (perMinute === 0) return { isOn: false, spend: async () => {} };
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  const state = (result: RateLimiterRes): RateLimitState => ({
    limit: perMinute,
    windowSeconds: WINDOW_SECONDS,
    remaining: Math.max(0, result.remainingPoints),
    // The limiter uses the wall clock. After the clock was set, the time is still at most a window.
    resetSeconds: Math.min(WINDOW_SECONDS, Math.max(0, Math.ceil(result.msBeforeNext / 1_000))),
  });
  return {
    isOn: true,
    async spend(principal, onState) {
      try {
        onState(state(await limiter.consume(principalKey(principal))));
      } catch (result) {
        if (!(result instanceof RateLimiterRes)) throw result;
        const spent = state(result);
        onState(spent);
        throw new ProblemError('rate-limited', { retryAfter: Math.max(1, spent.resetSeconds) });
      }
    },
  };
}

/** Returns a string that identifies a principal, for counting its calls. */
function principalKey(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return `user:${principal.userId}`;
    case 'application':
      return `application:${principal.applicationId}:${principal.onBehalfOf ?? ''}`;
  }
}
