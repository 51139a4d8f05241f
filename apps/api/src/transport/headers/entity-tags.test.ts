import { describe, expect, test } from 'vitest';
import { evaluatePrecondition } from '../../domain/precondition.ts';
import { readPrecondition } from './entity-tags.ts';

const judge = (headers: { ifMatch?: string; ifNoneMatch?: string }, revision = 7) => {
  const precondition = readPrecondition({ ifMatch: headers.ifMatch, ifNoneMatch: headers.ifNoneMatch });
  return precondition && evaluatePrecondition(precondition, revision);
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
    ['W/"7"', 'failed'],
    ['"07"', 'failed'],
  ])('If-Match: %s at revision 7 says %s', (ifMatch, verdict) => {
    expect(judge({ ifMatch })).toBe(verdict);
  });

  test.each<[string, string]>([
    ['"7"', 'not-modified'],
    ['W/"7"', 'not-modified'],
    ['*', 'not-modified'],
    ['"6"', 'proceed'],
  ])('If-None-Match: %s at revision 7 says %s', (ifNoneMatch, verdict) => {
    expect(judge({ ifNoneMatch })).toBe(verdict);
  });

  test('with both headers judges If-Match first', () => {
    expect(judge({ ifMatch: '"1"', ifNoneMatch: '"7"' })).toBe('failed');
    expect(judge({ ifMatch: '"7"', ifNoneMatch: '"7"' })).toBe('not-modified');
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
