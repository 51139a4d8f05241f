import {
  inviteUrl,
  PROBLEM_MEDIA_TYPE,
  PROBLEM_SLUGS,
  PROBLEMS,
  ProblemError,
  type ProblemOptions,
  type ProblemSlug,
} from '@guild-settings/contract';
import { EXAMPLE_GUILD } from '@guild-settings/contract/operations';
import { type HeaderName, headers } from './headers.ts';

/** Details of the examples beyond the catalogue's text. */
const EXAMPLE_OPTIONS: Partial<Record<ProblemSlug, ProblemOptions>> = {
  'invalid-request': {
    issues: [{ path: ['beta'], pointer: '/beta', message: 'expected true or false, received "yes"' }],
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

export const REQUEST_PROBLEMS: readonly ProblemSlug[] = [
  'invalid-request',
  'request-timeout',
  'headers-too-large',
  'internal',
];

const HEADERS_BY_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['Challenge'],
  412: ['ETag'],
  415: ['Accept-Patch'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

export const PROBLEM_EXAMPLES = Object.fromEntries(
  PROBLEM_SLUGS.map((slug) => {
    const problem = new ProblemError(slug, EXAMPLE_OPTIONS[slug]).toProblem(`/guilds/${EXAMPLE_GUILD.id}`);
    return [slug, { summary: PROBLEMS[slug].title, value: problem }];
  }),
);

const COMPONENTS = '#/components/responses/';

const PREFIX = 'rest.';

export function problemResponses(slugs: readonly ProblemSlug[]) {
  const statuses = [...new Set(slugs.map((slug) => PROBLEMS[slug].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = PROBLEM_SLUGS.filter((slug) => slugs.includes(slug) && PROBLEMS[slug].status === status);
      return [String(status), { $ref: `${COMPONENTS}${PREFIX}${ofStatus.join('.')}` }];
    }),
  );
}

export function referredResponses(paths: object) {
  const references = JSON.stringify(paths).match(/#\/components\/responses\/[a-z.-]+/g) ?? [];
  const names = [...new Set(references)].map((reference) => reference.slice(COMPONENTS.length)).sort();
  return Object.fromEntries(names.map((name) => [name, responseNamed(name)]));
}

function responseNamed(name: string) {
  const slugs = name.slice(PREFIX.length).split('.') as [ProblemSlug, ...ProblemSlug[]];
  const examples = Object.fromEntries(slugs.map((slug) => [slug, { $ref: `#/components/examples/${slug}` }]));
  return {
    description: slugs.map((slug) => PROBLEMS[slug].title).join('; '),
    headers: headers('RateLimit', 'RateLimit-Policy', ...(HEADERS_BY_STATUS[PROBLEMS[slugs[0]].status] ?? [])),
    content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Problem' }, examples } },
  };
}
