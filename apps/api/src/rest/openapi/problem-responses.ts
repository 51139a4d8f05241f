import { PROBLEMS, ProblemError, type ProblemOptions, type ProblemSlug } from '@guild-settings/contract';
import { PROBLEM_JSON } from '../../http/problem-reply.ts';
import { EXAMPLE_GUILD } from './examples.ts';
import { type HeaderName, headers } from './headers.ts';

/** What the example of a failure shows beside the catalogue's text. */
const EXAMPLE_OPTIONS: Partial<Record<ProblemSlug, ProblemOptions>> = {
  'invalid-request': {
    issues: [{ path: ['beta'], pointer: '/beta', message: 'Invalid input: expected boolean, received string' }],
  },
  'revision-mismatch': { current: EXAMPLE_GUILD },
  'rate-limited': { retryAfter: 17 },
  'discord-unavailable': { retryAfter: 2 },
  'store-unavailable': { retryAfter: 1 },
};

const ALWAYS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  415: ['Accept-Patch'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const MAYBE: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy', 'WWW-Authenticate'];

/** The responses for these failures, one a status, with an example of each. */
export function problemResponses(slugs: readonly ProblemSlug[], instance: string) {
  const statuses = [...new Set(slugs.map((slug) => PROBLEMS[slug].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = slugs.filter((slug) => PROBLEMS[slug].status === status);
      return [String(status), problemResponse(ofStatus, instance, status)];
    }),
  );
}

function problemResponse(slugs: readonly ProblemSlug[], instance: string, status: number) {
  const always = ALWAYS[status] ?? [];
  const examples = slugs.map((slug) => [
    slug,
    { summary: PROBLEMS[slug].title, value: new ProblemError(slug, EXAMPLE_OPTIONS[slug]).toProblem(instance) },
  ]);
  return {
    description: slugs.map((slug) => PROBLEMS[slug].title).join('; '),
    headers: headers({ always, maybe: MAYBE.filter((name) => !always.includes(name)) }),
    content: {
      [PROBLEM_JSON]: { schema: { $ref: '#/components/schemas/Problem' }, examples: Object.fromEntries(examples) },
    },
  };
}
