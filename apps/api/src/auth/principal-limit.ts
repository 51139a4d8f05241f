import { ProblemError, type Snowflake } from '@guild-settings/contract';
import type { Principal } from './principal.ts';
import { createWindows, secondsLeft } from './windows.ts';

const WINDOW_SECONDS = 60;

export interface RateLimitState {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export interface PrincipalLimit {
  readonly isOn: boolean;
  /**
   * Counts one call.
   * @param onState called with the state after the call, also when the call is refused; not called without a limit
   * @throws ProblemError rate-limited
   */
  spend(principal: Principal, onState: (state: RateLimitState) => void): void;
  /** Counts one request of a person that is no call. @throws ProblemError rate-limited */
  spendOf(userId: Snowflake): void;
}

const MAX_PRINCIPALS = 100_000;

interface PrincipalLimitOptions {
  readonly perMinute: number;
  readonly monotonicMs: () => number;
}

export function createPrincipalLimit({ perMinute, monotonicMs }: PrincipalLimitOptions): PrincipalLimit {
  if (perMinute === 0) return { isOn: false, spend: () => {}, spendOf: () => {} };
  const windowOf = createWindows({ windowMs: WINDOW_SECONDS * 1_000, maxClients: MAX_PRINCIPALS, monotonicMs });
  const count = (key: string, onState: (state: RateLimitState) => void) => {
    const window = windowOf(key);
    window.count += 1;
    const remaining = Math.max(0, perMinute - window.count);
    const resetSeconds = secondsLeft(window, monotonicMs);
    onState({ limit: perMinute, windowSeconds: WINDOW_SECONDS, remaining, resetSeconds });
    if (window.count > perMinute) throw new ProblemError('rate-limited', { retryAfter: resetSeconds });
  };
  return {
    isOn: true,
    spend: (principal, onState) => count(principalKey(principal), onState),
    spendOf: (userId) => count(userKey(userId), () => {}),
  };
}

function userKey(userId: Snowflake): string {
  return `user:${userId}`;
}

function principalKey(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return userKey(principal.userId);
    case 'application':
      return `application:${principal.applicationId}:${principal.onBehalfOf ?? ''}`;
  }
}
