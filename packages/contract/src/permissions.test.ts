import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayManageGuild } from './permissions.ts';

describe('managing a guild', () => {
  test.each([
    ['the owner without any bit', true, 0n, true],
    ['a member with Manage Guild', false, 1n << 5n, true],
    ['a member with Administrator', false, 1n << 3n, true],
    ['a member with every bit but those two', false, ~((1n << 5n) | (1n << 3n)) & ((1n << 60n) - 1n), false],
    ['a member without any bit', false, 0n, false],
    ['a member with Manage Guild among bits above 2^53', false, (1n << 59n) | (1n << 5n), true],
  ])('%s', (_name, owner, permissions, expected) => {
    expect(mayManageGuild({ owner, permissions })).toBe(expected);
  });

  test('depends on bits 3 and 5 alone', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (permissions) => {
        const bits = permissions.toString(2).split('').reverse();
        expect(mayManageGuild({ owner: false, permissions })).toBe(bits[3] === '1' || bits[5] === '1');
      }),
    );
  });
});
