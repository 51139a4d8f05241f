import { ProblemError } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
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
  spend(principal: Principal, onState: (state: RateLimitState) => void): void;
}

/** A principal's calls since its first one. */
interface Window {
  calls: number;
  /** Monotonic time in milliseconds. */
  readonly endsAtMs: number;
}

/** The most principals that are counted at once: those that called last. */
const MAX_PRINCIPALS = 100_000;

/** Creates a limit of calls per minute for each principal; 0: no limit. */
export function createPrincipalLimit(perMinute: number, monotonicMs: () => number): PrincipalLimit {
  if (perMinute === 0) return { isOn: false, spend: () => {} };
  const windows = new LRUCache<string, Window>({ maxSize: MAX_PRINCIPALS, sizeCalculation: () => 1 });
  return {
    isOn: true,
    spend(principal, onState) {
      const key = principalKey(principal);
      const nowMs = monotonicMs();
      let window = windows.get(key);
      if (window === undefined || window.endsAtMs <= nowMs) {
        window = { calls: 0, endsAtMs: nowMs + WINDOW_SECONDS * 1_000 };
        windows.set(key, window);
      }
      window.calls += 1;
      const remaining = Math.max(0, perMinute - window.calls);
      const resetSeconds = Math.ceil((window.endsAtMs - nowMs) / 1_000);
      onState({ limit: perMinute, windowSeconds: WINDOW_SECONDS, remaining, resetSeconds });
      if (window.calls > perMinute) throw new ProblemError('rate-limited', { retryAfter: resetSeconds });
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
