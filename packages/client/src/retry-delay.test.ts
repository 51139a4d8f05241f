import { expect, test } from 'vitest';
import { retryDelayMs } from './retry-policy.ts';

const longest = () => 1;

test('doubles the longest delay of a retry, up to two seconds', () => {
  const times = [0, 1, 2, 3, 4, 5, 6].map((attempt) => retryDelayMs(attempt, undefined, longest));
  expect(times).toStrictEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
});

test('a delay is a random part of the longest one', () => {
  expect(retryDelayMs(3, undefined, () => 0)).toBe(0);
  expect(retryDelayMs(3, undefined, () => 0.5)).toBe(400);
});

test('waits at least the requested time, and a little longer so that callers do not retry together', () => {
  expect(retryDelayMs(0, 2, () => 0)).toBe(2_000);
  expect(retryDelayMs(0, 2, longest)).toBe(2_100);
});

test('leaves a request to wait longer than ten seconds to the caller', () => {
  expect(retryDelayMs(0, 10, () => 0)).toBe(10_000);
  expect(retryDelayMs(0, 11)).toBeUndefined();
});
