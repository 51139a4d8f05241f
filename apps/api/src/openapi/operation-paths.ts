import {
  inviteUrl,
  PROBLEM_MEDIA_TYPE,
  PROBLEM_SLUGS,
  PROBLEMS,
  ProblemError,
  type ProblemOptions,
  type ProblemSlug,
} from '@guild-settings/contract';
import {
  ACCESS,
  type AnyOperation,
  BODY_MEDIA_TYPES,
  EXAMPLE_GUILD,
  operations,
  type RestRoute,
} from '@guild-settings/contract/operations';
import type { OpenAPIObject } from 'trpc-openapi';
import { type ZodType, z } from 'zod';
import { type HeaderName, headers, requestHeaders } from './headers.ts';
import { namesReferredIn } from './open-responses.ts';

type Paths = NonNullable<OpenAPIObject['paths']>;
type Generated = NonNullable<Paths[string]['get']>;

export type RestOperation = AnyOperation & { readonly rest: RestRoute };

export const REST_OPERATIONS = restOperations();

export function restOperations({ isDeclared = false } = {}): readonly RestOperation[] {
  return Object.values(operations)
    .flatMap((group) => Object.values<AnyOperation>(group))
    .filter((operation): operation is RestOperation => operation.rest !== undefined)
    .filter(({ isOfDeclaration }) => isDeclared || !isOfDeclaration)
    .map((operation) => (isDeclared ? withDeclaredProblems(operation) : operation));
}

function withDeclaredProblems({ rest, ...operation }: RestOperation): RestOperation {
  return { ...operation, rest: { ...rest, problems: [...rest.problems, ...(rest.declaredProblems ?? [])] } };
}

export const REQUEST_PROBLEMS: readonly ProblemSlug[] = [
  'invalid-request',
  'request-timeout',
  'headers-too-large',
  'internal',
];

const PUBLIC_PROBLEMS: readonly ProblemSlug[] = [...REQUEST_PROBLEMS, 'rate-limited'];

const COMMON_PROBLEMS: readonly ProblemSlug[] = [
  ...REQUEST_PROBLEMS,
  'not-authenticated',
  'invalid-token',
  'insufficient-scope',
  'rate-limited',
  'discord-unavailable',
  'store-unavailable',
];

const BODY_PROBLEMS: readonly ProblemSlug[] = ['invalid-body', 'body-too-large', 'unsupported-media-type'];

/** Completes the generated operations with headers, problems, examples and bodies. */
export function completeOperations(paths: Paths, operations = REST_OPERATIONS): Paths {
  const completed: Paths = { ...paths };
  for (const operation of operations) {
    const { path, method, alias } = operation.rest;
    const generated = completed[path]?.[nameOf(method)];
    if (generated === undefined) continue;
    const described = complete(operation, generated);
    const other = alias && { [nameOf(alias.method)]: { ...described, operationId: alias.operationId } };
    completed[path] = { ...completed[path], [nameOf(method)]: described, ...other };
  }
  return completed;
}

function nameOf(method: RestRoute['method']) {
  return method.toLowerCase() as Lowercase<RestRoute['method']>;
}

function complete(
  { type, rest, input, body, access, deprecation }: RestOperation,
  { requestBody: _, ...generated }: Generated,
): Generated {
  const { success = 200 } = rest;
  const isPublic = access === 'public';
  const isStream = type === 'subscription';
  const hasResult = success === 200;
  const isConditional = hasResult && rest.requestHeaders.includes('If-None-Match');
  const responseHeaders = headers(
    ...(isConditional ? [isPublic ? ('ContentTag' as const) : ('ETag' as const)] : []),
    ...(rest.responseHeaders ?? []),
    ...(isStream ? (['X-Accel-Buffering'] as const) : []),
    ...(deprecation ? (['Deprecation', 'Sunset'] as const) : []),
    ...(isPublic ? [] : (['RateLimit', 'RateLimit-Policy'] as const)),
  );
  const problems = [
    ...(isPublic ? PUBLIC_PROBLEMS : COMMON_PROBLEMS),
    ...ACCESS[access],
    ...(body ? BODY_PROBLEMS : []),
    ...rest.problems,
  ];
  const parameters = [
    ...(generated.parameters ?? []).filter((parameter) => 'in' in parameter && parameter.in === 'path'),
    ...queryParameters(input, rest),
    ...requestHeaders(...rest.requestHeaders),
  ];
  const { schema } = generated.responses?.[200]?.content?.['application/json'] ?? {};
  return {
    ...generated,
    ...(isPublic && { security: [] }),
    ...(deprecation && { deprecated: true }),
    parameters,
    ...(body && { requestBody: { required: true, content: bodyContent(body.meta()?.title, rest) } }),
    responses: {
      [success]: {
        description: rest.response,
        headers: responseHeaders,
        ...(hasResult && {
          content: {
            [isStream ? 'text/event-stream' : 'application/json']: {
              ...(schema && { schema }),
              examples: rest.examples ?? {},
            },
          },
        }),
      },
      ...(isConditional &&
        rest.method === 'GET' && {
          304: { description: 'The client has this revision already.', headers: responseHeaders },
        }),
      ...problemResponses(problems),
    },
  };
}

/**
 * Returns the query parameters of an operation. trpc-openapi treats them as a part of the body, unless the method is
 * GET.
 */
function queryParameters(input: ZodType, { query = [] }: RestRoute) {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' });
  return query.map((name) => {
    const { description, ...schema } = properties[name] as { description?: string };
    return {
      in: 'query' as const,
      name,
      ...(required.includes(name) && { required: true }),
      ...(description && { description }),
      // Comma-separated.
      ...('items' in schema && { style: 'form' as const, explode: false }),
      schema,
    };
  });
}

function bodyContent(schemaName: string | undefined, { bodyExamples: examples }: RestRoute) {
  const media = { schema: { $ref: `#/components/schemas/${schemaName}` }, ...(examples && { examples }) };
  return Object.fromEntries(BODY_MEDIA_TYPES.map((type) => [type, media]));
}

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
  const names = [...namesReferredIn(paths, COMPONENTS)].sort();
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
