import { LIMITS } from '@guild-settings/contract';
import { expect, test } from 'vitest';
import { claimedPosition } from './claimed-position.ts';

const rejections = (length: number) =>
  Array.from({ length }, (_, index) => ({
    guild: String(300_000_000_000_000_000n + BigInt(index)),
    revision: 10 + index,
  }));

test('what was rejected is recorded beside what is claimed', () => {
  const rejected = rejections(99);
  expect(claimedPosition({ revision: 500, rejected }, 99)).toEqual({ revision: 500, rejected });
});

test('nothing is claimed with a list that may lack rejections', () => {
  const rejected = rejections(LIMITS.rejections);
  expect(claimedPosition({ revision: 500, rejected }, 100)).toEqual({ revision: 0, rejected });
  expect(claimedPosition({ revision: 500, rejected }, 99)).toEqual({ revision: 0, rejected: [] });
});

test('without room for the rejections, nothing from the first of them on is claimed', () => {
  const rejected = rejections(3).toReversed();
  expect(claimedPosition({ revision: 500, rejected }, 2)).toEqual({ revision: 9, rejected: [] });
  expect(claimedPosition({ revision: 5, rejected }, 2)).toEqual({ revision: 5, rejected: [] });
});

test('a rejection says nothing of changes after the acknowledged ones', () => {
  const rejected = [{ guild: '300000000000000000', revision: 1_000, reason: 'x' }];
  const expected = [{ guild: '300000000000000000', revision: 500 }];
  expect(claimedPosition({ revision: 500, rejected }, 1)).toEqual({ revision: 500, rejected: expected });
});
