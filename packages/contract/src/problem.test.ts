import { describe, expect, test } from 'vitest';
import { GuildPatch } from './guild-patch.ts';
import { issuesOf } from './issues.ts';
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
