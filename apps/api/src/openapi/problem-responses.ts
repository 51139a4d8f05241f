import {
  PROBLEM_MEDIA_TYPE,
  PROBLEM_SLUGS,
  PROBLEMS,
  ProblemError,
  type ProblemOptions,
  type ProblemSlug,
} from '@guild-settings/contract';
import { EXAMPLE_GUILD } from '../operations/example-guild.ts';
import { type HeaderName, headers } from './headers.ts';

/** Details of the examples beyond the catalogue's text. */
const EXAMPLE_OPTIONS: Partial<Record<ProblemSlug, ProblemOptions>> = {
  'invalid-request': {
    issues: [{ path: ['beta'], pointer: '/beta', message: 'Invalid input: expected boolean, received string' }],
  },
  'revision-mismatch': { current: EXAMPLE_GUILD },
  'rate-limited': { retryAfter: 17 },
  'change-log-full': { retryAfter: 21_600 },
  'discord-unavailable': { retryAfter: 2 },
  'store-unavailable': { retryAfter: 1 },
};

const HEADERS_BY_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['Challenge'],
  405: ['Allow'],
  412: ['ETag'],
  415: ['Accept-Patch'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** An example of every problem, by slug. */
export const PROBLEM_EXAMPLES = Object.fromEntries(
  PROBLEM_SLUGS.map((slug) => {
    const problem = new ProblemError(slug, EXAMPLE_OPTIONS[slug]).toProblem(`/guilds/${EXAMPLE_GUILD.id}`);
    return [slug, { summary: PROBLEMS[slug].title, value: problem }];
  }),
);

/** Returns the responses for these problems, one for each status, with an example of each problem. */
export function problemResponses(slugs: readonly ProblemSlug[]) {
  const statuses = [...new Set(slugs.map((slug) => PROBLEMS[slug].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = slugs.filter((slug) => PROBLEMS[slug].status === status);
      return [String(status), problemResponse(ofStatus, status)];
    }),
  );
}

function problemResponse(slugs: readonly ProblemSlug[], status: number) {
  const examples = slugs.map((slug) => [slug, { $ref: `#/components/examples/${slug}` }]);
  return {
    description: slugs.map((slug) => PROBLEMS[slug].title).join('; '),
    headers: headers('RateLimit', 'RateLimit-Policy', ...(HEADERS_BY_STATUS[status] ?? [])),
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}
