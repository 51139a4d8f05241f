import { ProblemError } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { Principal } from './principal.ts';
import { type CountedCalls, type ReceiveCalls, type ShareCalls, UnsentCalls } from './shared-calls.ts';

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

/** The most principals that are counted at once: those that called last. */
const MAX_PRINCIPALS = 100_000;

interface PrincipalLimitOptions {
  /** Calls per minute; 0: no limit. */
  readonly perMinute: number;
  readonly monotonicMs: () => number;
  /** Absent: there is one process. */
  readonly share?: ShareCalls | undefined;
}

/** Creates a limit of calls per minute for each principal. */
export function createPrincipalLimit({ perMinute, monotonicMs, share }: PrincipalLimitOptions): PrincipalLimit {
  if (perMinute === 0) return { isOn: false, spend: () => {} };
  const windows = new LRUCache<string, CountedCalls>({ maxSize: MAX_PRINCIPALS, sizeCalculation: () => 1 });
  /** Counts calls in the window that runs, or in a new one. */
  const count = ({ key, calls, endsAtMs }: CountedCalls, nowMs: number): CountedCalls => {
    let window = windows.get(key);
    if (window === undefined || window.endsAtMs <= nowMs) {
      window = { key, calls: 0, endsAtMs };
      windows.set(key, window);
    }
    window.calls += calls;
    // Two processes have begun a window at the same time: the first one to end ends both.
    window.endsAtMs = Math.min(window.endsAtMs, endsAtMs);
    return window;
  };
  const receive: ReceiveCalls = (counted) => {
    const nowMs = monotonicMs();
    for (const calls of counted) if (calls.endsAtMs > nowMs) count(calls, nowMs);
  };
  const unsent = share && new UnsentCalls(share(receive));
  return {
    isOn: true,
    spend(principal, onState) {
      const nowMs = monotonicMs();
      const call = { key: principalKey(principal), calls: 1, endsAtMs: nowMs + WINDOW_SECONDS * 1_000 };
      const { calls, endsAtMs } = count(call, nowMs);
      unsent?.add(call.key, endsAtMs);
      const remaining = Math.max(0, perMinute - calls);
      const resetSeconds = Math.ceil((endsAtMs - nowMs) / 1_000);
      onState({ limit: perMinute, windowSeconds: WINDOW_SECONDS, remaining, resetSeconds });
      if (calls > perMinute) throw new ProblemError('rate-limited', { retryAfter: resetSeconds });
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
