import { describe, expect, test } from 'vitest';
import { evaluatePrecondition } from '../domain/record.ts';
import { readPrecondition, readPreferredWait } from './request-info.ts';

const EPOCH = '0k3x9w2a5q';
const OTHER = '1k3x9w2a5q';
const DECLARATION = '1a2b3c4d';

const judge = (headers: { ifMatch?: string; ifNoneMatch?: string }, revision = 7) => {
  const precondition = readPrecondition({ ifMatch: headers.ifMatch, ifNoneMatch: headers.ifNoneMatch });
  return precondition && evaluatePrecondition(precondition, { revision, epoch: EPOCH }, DECLARATION);
};

describe('a precondition', () => {
  test('is none without headers', () => {
    expect(readPrecondition({ ifMatch: undefined, ifNoneMatch: undefined })).toBeUndefined();
  });

  test.each<[string, string]>([
    ['"7"', 'proceed'],
    ['"1","7"', 'proceed'],
    ['"1" ,\t"7", "9"', 'proceed'],
    ['*', 'proceed'],
    ['"70"', 'failed'],
    ['"07"', 'failed'],
    [`"7-${EPOCH}"`, 'proceed'],
    [`"7-${EPOCH}${DECLARATION}"`, 'proceed'],
    [`"7-${EPOCH}9a9b9c9d"`, 'proceed'],
    [`"7-${OTHER}"`, 'failed'],
    [`"7-${OTHER}${DECLARATION}"`, 'failed'],
    // In the format of 1.0.0.
    [`"7-${DECLARATION}"`, 'proceed'],
    // As changed by proxies.
    ['W/"7"', 'proceed'],
    [`W/"7-${EPOCH}${DECLARATION}"`, 'proceed'],
    [`"7-${EPOCH}${DECLARATION}-gzip"`, 'proceed'],
    [`W/"7-${OTHER}-gzip"`, 'failed'],
  ])('If-Match: %s at revision 7 says %s', (ifMatch, verdict) => {
    expect(judge({ ifMatch })).toBe(verdict);
  });

  test.each<[string, string]>([
    [`"7-${EPOCH}${DECLARATION}"`, 'not-modified'],
    [`W/"7-${EPOCH}${DECLARATION}"`, 'not-modified'],
    [`"7-${EPOCH}${DECLARATION}-gzip"`, 'not-modified'],
    ['*', 'not-modified'],
    ['"7"', 'proceed'],
    [`"7-${DECLARATION}"`, 'proceed'],
    [`"7-${EPOCH}"`, 'proceed'],
    [`"7-${OTHER}${DECLARATION}"`, 'proceed'],
    ['"6"', 'proceed'],
  ])('If-None-Match: %s at revision 7 says %s', (ifNoneMatch, verdict) => {
    expect(judge({ ifNoneMatch })).toBe(verdict);
  });

  test.each<[string, string]>([
    ['"0"', 'proceed'],
    [`"0-${DECLARATION}"`, 'proceed'],
    [`"0-${EPOCH}"`, 'failed'],
    ['"1"', 'failed'],
  ])('If-Match: %s at a guild that was never changed says %s', (ifMatch, verdict) => {
    expect(judge({ ifMatch }, 0)).toBe(verdict);
  });

  test('If-None-Match at a guild that was never changed is the same in every epoch', () => {
    expect(judge({ ifNoneMatch: `"0-${DECLARATION}"` }, 0)).toBe('not-modified');
    expect(judge({ ifNoneMatch: '"0"' }, 0)).toBe('proceed');
  });

  test('with both headers judges If-Match first', () => {
    expect(judge({ ifMatch: '"1"', ifNoneMatch: '*' })).toBe('failed');
    expect(judge({ ifMatch: '"7"', ifNoneMatch: '*' })).toBe('not-modified');
  });

  test('may have empty elements anywhere in its list', () => {
    expect(judge({ ifMatch: ', ,"1",,, "7" , ,' })).toBe('proceed');
    expect(judge({ ifMatch: ', *, ,' })).toBe('proceed');
    expect(() => judge({ ifMatch: ', ,' })).toThrow('malformed');
    expect(() => judge({ ifMatch: '"1" "7"' })).toThrow('malformed');
  });

  test('takes 1,024 characters, and says so of more', () => {
    expect(judge({ ifMatch: `${'"1",'.repeat(255)}"7"` })).toBe('proceed');
    expect(() => judge({ ifMatch: `"1"${','.repeat(15_000)}"7"` })).toThrow('expected at most 1024 characters');
  });
});

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
