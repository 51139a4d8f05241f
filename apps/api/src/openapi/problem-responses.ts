import {
  inviteUrl,
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
  'bot-absent': {
    inviteUrl: inviteUrl({
      authorizeUrl: 'https://discord.com/oauth2/authorize',
      applicationId: '80351110224678912',
      guild: EXAMPLE_GUILD.id,
    }),
  },
  'revision-mismatch': { current: EXAMPLE_GUILD },
  'rate-limited': { retryAfter: 17 },
  'change-log-full': { retryAfter: 21_600 },
  'discord-unavailable': { retryAfter: 2 },
  'store-unavailable': { retryAfter: 1 },
};

/** The problems of every request, whatever its path and method. */
export const REQUEST_PROBLEMS: readonly ProblemSlug[] = [
  'invalid-request',
  'request-timeout',
  'headers-too-large',
  'internal',
];

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

/** How a problem is sent: as a document, without a body to HEAD, or within a tRPC error to a tRPC call. */
type ProblemForm = 'rest' | 'head' | 'trpc';

const COMPONENTS = '#/components/responses/';

/** Returns references to the responses for these problems, one for each status. */
export function problemResponses(slugs: readonly ProblemSlug[], form: ProblemForm = 'rest') {
  const statuses = [...new Set(slugs.map((slug) => PROBLEMS[slug].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = PROBLEM_SLUGS.filter((slug) => slugs.includes(slug) && PROBLEMS[slug].status === status);
      return [String(status), { $ref: `${COMPONENTS}${[form, ...ofStatus].join('.')}` }];
    }),
  );
}

/** Returns the reference to a response as it is sent to HEAD. */
export function withoutBody($ref: string): { $ref: string } {
  return { $ref: $ref.replace(/\/[a-z]+\./, '/head.') };
}

/** Returns the responses that paths refer to, by their names in the components. */
export function referredResponses(paths: object) {
  const references = JSON.stringify(paths).match(/#\/components\/responses\/[a-z.-]+/g) ?? [];
  const names = [...new Set(references)].map((reference) => reference.slice(COMPONENTS.length)).sort();
  return Object.fromEntries(names.map((name) => [name, responseNamed(name)]));
}

function responseNamed(name: string) {
  const [form, ...slugs] = name.split('.') as [ProblemForm, ProblemSlug, ...ProblemSlug[]];
  const media = {
    schema: { $ref: '#/components/schemas/Problem' },
    examples: Object.fromEntries(slugs.map((slug) => [slug, { $ref: `#/components/examples/${slug}` }])),
  };
  return {
    description: slugs.map((slug) => PROBLEMS[slug].title).join('; '),
    headers: headers('RateLimit', 'RateLimit-Policy', ...(HEADERS_BY_STATUS[PROBLEMS[slugs[0]].status] ?? [])),
    ...(form !== 'head' && {
      content: {
        ...(form === 'trpc' && { 'application/json': { schema: { $ref: '#/components/schemas/TrpcResponse' } } }),
        [PROBLEM_MEDIA_TYPE]: media,
      },
    }),
  };
}
