import { describe, expect, test } from 'vitest';
import { readPrecondition } from './preconditions.ts';

const judge = (headers: { ifMatch?: string; ifNoneMatch?: string }, revision = 7) =>
  readPrecondition({ ifMatch: headers.ifMatch, ifNoneMatch: headers.ifNoneMatch })?.(revision);

describe('a precondition', () => {
  test('is none without headers', () => {
    expect(readPrecondition({ ifMatch: undefined, ifNoneMatch: undefined })).toBeUndefined();
  });

  test.each<[string, string]>([
    ['"7"', 'go-ahead'],
    ['"1","7"', 'go-ahead'],
    ['"1" ,\t"7", "9"', 'go-ahead'],
    ['*', 'go-ahead'],
    ['"70"', 'failed'],
    ['W/"7"', 'failed'],
    ['"07"', 'failed'],
  ])('If-Match: %s at revision 7 says %s', (ifMatch, verdict) => {
    expect(judge({ ifMatch })).toBe(verdict);
  });

  test.each<[string, string]>([
    ['"7"', 'not-modified'],
    ['W/"7"', 'not-modified'],
    ['*', 'not-modified'],
    ['"6"', 'go-ahead'],
  ])('If-None-Match: %s at revision 7 says %s', (ifNoneMatch, verdict) => {
    expect(judge({ ifNoneMatch })).toBe(verdict);
  });

  test('with both headers judges If-Match first', () => {
    expect(judge({ ifMatch: '"1"', ifNoneMatch: '"7"' })).toBe('failed');
    expect(judge({ ifMatch: '"7"', ifNoneMatch: '"7"' })).toBe('not-modified');
  });

  test('of a list as long as headers may be is read in no time', () => {
    const started = performance.now();
    expect(judge({ ifMatch: `${'"1",'.repeat(4_000)}"7"` })).toBe('go-ahead');
    expect(() => judge({ ifMatch: `${'"1" '.repeat(4_000)}` })).toThrow();
    expect(performance.now() - started).toBeLessThan(200);
  });
});
