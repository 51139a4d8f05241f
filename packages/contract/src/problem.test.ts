import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { GuildPatch } from './guild-patch.ts';
import { EXPECTED, issuesOf } from './issues.ts';
import { Problem, ProblemError } from './problem.ts';
import { isProblemSlug, PROBLEM_SLUGS, PROBLEMS } from './problem-catalogue.ts';

describe('the problem catalogue', () => {
  test.each(PROBLEM_SLUGS)('%s makes a valid problem document', (slug) => {
    const problem = new ProblemError(slug).toProblem('/guilds/1');
    expect(Problem.parse(problem)).toEqual(problem);
    expect(problem).toMatchObject({ type: `/problems/${slug}`, status: PROBLEMS[slug].status, instance: '/guilds/1' });
    expect(problem.message).toBe(problem.detail);
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])('does not know %j', (slug) => {
    expect(isProblemSlug(slug)).toBe(false);
  });
});

describe('the issues of a request', () => {
  test('shorten the name of an absurdly long field', () => {
    const { error } = GuildPatch.safeParse({ ['x'.repeat(10_000)]: 1 });
    expect(JSON.stringify(issuesOf(error ?? { issues: [] })).length).toBeLessThan(400);
  });
});

test.each([
  [z.boolean(), 'on', 'expected true or false, received "on"'],
  [z.string(), undefined, 'expected a string, received nothing'],
  [z.string(), ['a'], 'expected a string, received an array'],
  [z.int(), 0.5, 'expected an integer, received 0.5'],
  [z.array(z.string()), null, 'expected an array, received null'],
  [z.enum(['a', 'b']), 'c', 'expected one of a, b, received "c"'],
  [z.literal(true), {}, 'expected true, received an object'],
  [z.string().min(1), '', 'expected at least 1 character, received 0'],
  [z.array(z.int()).max(1), [1, 2], 'expected at most 1 item, received 2'],
  [z.int().max(100), 1_000, 'expected at most 100, received 1000'],
  [z.int().min(1), 0, 'expected at least 1, received 0'],
  [z.discriminatedUnion('type', [z.object({ type: z.literal('a') })]), { type: 'b' }, 'expected a'],
  [z.string('expected a name'), 5, 'expected a name'],
])('a value that a schema does not take is explained with what was expected (%#)', (schema, value, message) => {
  expect(schema.safeParse(value, EXPECTED).error?.issues.map((issue) => issue.message)).toStrictEqual([message]);
});

test('a long string is not repeated whole', () => {
  const { error } = z.int().safeParse('x'.repeat(10_000), EXPECTED);
  expect(error?.issues[0]?.message.length).toBeLessThan(150);
});
