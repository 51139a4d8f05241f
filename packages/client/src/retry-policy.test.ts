import { expect, test } from 'vitest';
import { retryAfterSeconds } from './retry-after.ts';
import { retryDelayMs } from './retry-policy.ts';

const longest = () => 1;

test('the delay of a retry is a random part of one that doubles up to two seconds', () => {
  const times = [0, 1, 2, 3, 4, 5, 6].map((attempt) => retryDelayMs(attempt, undefined, longest));
  expect(times).toStrictEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
  expect([0, 0.5].map((random) => retryDelayMs(3, undefined, () => random))).toStrictEqual([0, 400]);
});

test('the requested time is waited for, a little longer so that callers do not retry together, and not beyond 10 s', () => {
  expect([retryDelayMs(0, 2, () => 0), retryDelayMs(0, 2, longest)]).toStrictEqual([2_000, 2_100]);
  expect([retryDelayMs(0, 10, () => 0), retryDelayMs(0, 11)]).toStrictEqual([10_000, undefined]);
});

test.each([
  [null, undefined],
  ['3', 3],
  ['0.25', 0.25],
  ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
  ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
  ['soon', undefined],
])('Retry-After %j is %j seconds', (header, seconds) => {
  // The local clock differs from the date of the response by years.
  expect(retryAfterSeconds(header, 'Wed, 21 Oct 2026 07:28:00 GMT')).toBe(seconds);
});
