import type { Snowflake } from '@guild-settings/contract';
import { expect, test } from 'vitest';
import { type CheckedPerson, MemberRoles } from './member-roles.ts';

test('roles whose request began before a person was checked again are requested anew, and do not replace newer ones', async () => {
  const answers: ((ids: readonly Snowflake[]) => void)[] = [];
  let nowMs = 0;
  const roles = new MemberRoles({
    ofToken: async () => [],
    ofBot: () => new Promise((resolve) => answers.push(resolve)),
    monotonicMs: () => nowMs,
    cacheTtlMs: 60_000,
    staleGraceMs: 0,
  });
  const person = { principal: { userId: '1' }, scope: 'identify' } as CheckedPerson;
  const of = (newerThanMs: number) => roles.of({ ...person, newerThanMs }, '2', { allowStale: false });
  const before = of(Number.NEGATIVE_INFINITY);
  nowMs = 5_000;
  const after = of(nowMs);
  expect(answers).toHaveLength(2);
  answers[1]?.(['4']);
  expect((await after).ids).toEqual(['4']);
  answers[0]?.(['3']);
  expect((await before).ids).toEqual(['3']);
  expect((await of(Number.NEGATIVE_INFINITY)).ids).toEqual(['4']);
});
