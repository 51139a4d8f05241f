import { expect, test } from 'vitest';
import type { Principal } from './principal.ts';
import { createPrincipalLimit, type RateLimitState } from './principal-limit.ts';

test('counts the calls of each principal for a minute of the monotonic clock, from its first call on', () => {
  let nowMs = 5_000;
  const limit = createPrincipalLimit({ perMinute: 2, monotonicMs: () => nowMs });
  const application: Principal = { kind: 'application', applicationId: '80351110224678912' };
  const onBehalf: Principal = { ...application, onBehalfOf: '53908099506183680' };
  const call = (principal: Principal): Partial<RateLimitState> & { readonly refused?: true } => {
    let state: RateLimitState | undefined;
    const keep = (found: RateLimitState) => {
      state = found;
    };
    try {
      limit.spend(principal, keep);
      return { ...state };
    } catch (error) {
      expect(error).toMatchObject({ slug: 'rate-limited', options: { retryAfter: state?.resetSeconds } });
      return { ...state, refused: true };
    }
  };
  expect(call(application)).toStrictEqual({ limit: 2, windowSeconds: 60, remaining: 1, resetSeconds: 60 });
  nowMs += 59_500;
  expect(call(application)).toMatchObject({ remaining: 0, resetSeconds: 1 });
  expect(call(application)).toMatchObject({ remaining: 0, resetSeconds: 1, refused: true });
  expect(call(onBehalf)).toMatchObject({ remaining: 1, resetSeconds: 60 });
  nowMs += 500;
  expect(call(application)).toMatchObject({ remaining: 1, resetSeconds: 60 });
});
