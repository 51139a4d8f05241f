import { expect, test } from 'vitest';
import { backoff } from './backoff.ts';

const longest = () => 1;

test('doubles the time within which a retry comes, up to two seconds', () => {
  const times = [0, 1, 2, 3, 4, 5, 6].map((attempt) => backoff(attempt, undefined, longest));
  expect(times).toStrictEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
});

test('comes at any moment within that time', () => {
  expect(backoff(3, undefined, () => 0)).toBe(0);
  expect(backoff(3, undefined, () => 0.5)).toBe(400);
});

test('waits at least what was asked for, and a little more so that not all come at once', () => {
  expect(backoff(0, 2, () => 0)).toBe(2_000);
  expect(backoff(0, 2, longest)).toBe(2_100);
});

test('does not wait longer than ten seconds', () => {
  expect(backoff(0, 10, () => 0)).toBe(10_000);
  expect(backoff(0, 11)).toBeUndefined();
});
