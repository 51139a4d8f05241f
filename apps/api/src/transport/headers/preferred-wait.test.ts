import { expect, test } from 'vitest';
import { readPreferredWait } from './preferred-wait.ts';

test.each<[string, number | undefined]>([
  ['wait=2', 2],
  ['wait=0', 0],
  ['WAIT=1', 1],
  ['wait = 1', 1],
  ['wait=01', 1],
  ['wait="1"', 1],
  ['wait="\\1"', 1],
  ['wait=1;x=y', 1],
  ['wait="1" ; x="a, b"', 1],
  ['respond-async, wait=1', 1],
  [',, wait=1 ,', 1],
  ['handling=lenient; foo="x", wait=1', 1],
])('%s is a wait of %s seconds', (header, seconds) => {
  expect(readPreferredWait(header)).toBe(seconds);
});

test.each(['wait=11', 'wait=99999999999', `wait=${'9'.repeat(400)}`])('%s is the longest wait', (header) => {
  expect(readPreferredWait(header)).toBe(10);
});

test.each([
  ['foo="a, wait=1, b"'],
  ['foo="a \\", wait=1, b"'],
  ['foo="a, wait=1'],
  ['foo=bar;wait=1'],
  ['foo; x="y;"; wait=1'],
  ['await=1'],
  ['wait-for=1'],
  ['wait'],
  ['wait='],
  ['wait=""'],
  ['wait=;x'],
  ['wait="1'],
  ['wait="1"2'],
  ['wait=1 2'],
  ['wait=2.5'],
  ['wait=+1'],
  ['wait=-1'],
  ['wait=1e1'],
  [''],
])('%s is no wait', (header) => {
  expect(readPreferredWait(header)).toBeUndefined();
});

test.each<[string, number | undefined]>([
  ['wait=1, wait=2', 1],
  ['wait=soon, wait=1', undefined],
  ['wait, wait=1', undefined],
  ['wait="1, wait=1', undefined],
])('of %s only the first counts', (header, seconds) => {
  expect(readPreferredWait(header)).toBe(seconds);
});

test.each([
  ['quotation marks', '"'.repeat(64_000)],
  ['escapes', `"${'\\'.repeat(64_000)}`],
  ['white space', ' '.repeat(64_000)],
  ['white space before the value', `wait=${' '.repeat(64_000)}"`],
  ['white space after the value', `wait=1${' '.repeat(64_000)}"`],
  ['white space after the name', `wait${' '.repeat(64_000)}"`],
])('64 KB of %s are read without the seconds that backtracking would take', (_what, header) => {
  const startedAt = performance.now();
  readPreferredWait(header);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
