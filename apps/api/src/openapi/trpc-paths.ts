import { LIMITS, type ProblemSlug } from '@guild-settings/contract';
import type { OpenAPIObject } from 'trpc-openapi';
import { EXAMPLE_GUILD } from '../operations/example-guild.ts';
import type { AnyOperation, OperationType } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import { type HeaderName, headers, requestHeaders } from './headers.ts';
import { BODY_PROBLEMS, COMMON_PROBLEMS } from './operation-paths.ts';
import { problemResponses, REQUEST_PROBLEMS } from './problem-responses.ts';
import { SECURITY_SCHEME } from './security-scheme.ts';
import { inputName } from './trpc-schemas.ts';

/** Characters of a query parameter. The request target and the headers have 16 KiB in all. */
const MAX_QUERY_LENGTH = 16 * 1024;

const PROCEDURES = Object.entries(operations).flatMap(([group, members]) =>
  Object.entries<AnyOperation>(members).map(([name, operation]) => ({ name: `${group}.${name}`, operation })),
);

const LONGEST_NAME = Math.max(...PROCEDURES.map(({ name }) => name.length));

/** Returns the paths of tRPC: one for each stream, and one for all calls of queries and mutations. */
export function trpcPaths(): NonNullable<OpenAPIObject['paths']> {
  const conditions = requestHeaders('If-Match', 'If-None-Match', 'X-On-Behalf-Of');
  const caching = requestHeaders('Cache-Control');
  return {
    '/trpc/guilds.watch': stream({
      operationId: 'trpcWatch',
      summary: 'Follow the changes of guilds, as the application',
      input: input(reference('WatchInput'), '{}'),
      event: reference('WatchEvent'),
    }),
    '/trpc/guilds.follow': stream({
      operationId: 'trpcFollow',
      summary: 'Follow the changes of one guild',
      input: input(reference('FollowInput'), JSON.stringify({ guild: EXAMPLE_GUILD.id })),
      event: reference('FollowEvent'),
    }),
    '/trpc/{procedures}': {
      get: {
        operationId: 'trpcQuery',
        summary: 'Call queries over tRPC',
        description:
          'The same operations as over REST, for the typed client. `batch=1` sends several calls at once. `application.get` ' +
          'and `features.list` need no credentials.',
        ...COMMON,
        security: [...COMMON.security, {}],
        parameters: [
          procedures('query'),
          BATCH,
          input(inputOf(inputsOf('query')), JSON.stringify({ guild: EXAMPLE_GUILD.id })),
          ...caching,
          ...conditions,
        ],
        responses: {
          ...trpcResponses(['ResultTag', 'ResultAge', 'Link'], [...COMMON_PROBLEMS, ...problemsOf('query')]),
          304: { description: 'The client has this revision already.', headers: headers('ResultTag') },
        },
      },
      post: {
        operationId: 'trpcMutation',
        summary: 'Call mutations over tRPC',
        description: 'The same operations as over REST, and the reports of bots about the guilds that they are in.',
        ...COMMON,
        parameters: [procedures('mutation'), BATCH, ...conditions, ...requestHeaders('X-Audit-Log-Reason', 'Prefer')],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: inputOf(inputsOf('mutation')),
              examples: { update: { summary: 'One field', value: { guild: EXAMPLE_GUILD.id, prefix: '?' } } },
            },
          },
        },
        responses: trpcResponses(
          ['ResultTag', 'Arrival', 'Preference-Applied'],
          [...COMMON_PROBLEMS, ...BODY_PROBLEMS, ...problemsOf('mutation')],
        ),
      },
    },
  };
}

interface StreamPath {
  readonly operationId: string;
  readonly summary: string;
  readonly input: ReturnType<typeof input>;
  /** The schema of an event. */
  readonly event: ReturnType<typeof reference>;
}

/** Returns the path of a subscription. */
function stream({ operationId, summary, input: parameter, event }: StreamPath) {
  return {
    get: {
      operationId,
      summary,
      description:
        'A tRPC subscription as server-sent events: `connected`, then messages whose data has the schema below, then ' +
        '`return` when the token has expired. A refusal is an event `serialized-error`. The id of a message resumes ' +
        'the stream after it.',
      ...COMMON,
      parameters: [parameter, lastEventId('query', 'lastEventId'), lastEventId('header', 'Last-Event-ID')],
      responses: {
        200: {
          description: 'The stream.',
          headers: headers('RateLimit', 'RateLimit-Policy'),
          content: { 'text/event-stream': { schema: event } },
        },
        ...problemResponses(REQUEST_PROBLEMS),
      },
    },
  };
}

const COMMON = { tags: ['trpc'], security: [{ [SECURITY_SCHEME]: [] }] };

const BATCH = {
  in: 'query',
  name: 'batch',
  description: `With 1, up to ${LIMITS.batchCalls} calls: their names, separated by commas, and their inputs by position.`,
  schema: { type: 'string', const: '1' },
} as const;

function reference(schemaName: string) {
  return { $ref: `#/components/schemas/${schemaName}` };
}

/** Returns the schema of an input: of one call, or of the calls of a batch by their positions. */
function inputOf<Schema extends object>(one: Schema) {
  return { anyOf: [one, { type: 'object' as const, maxProperties: LIMITS.batchCalls, additionalProperties: one }] };
}

/** Returns the schemas of the inputs of all operations of a type. */
function inputsOf(type: OperationType) {
  const schemas = PROCEDURES.filter(({ operation }) => operation.type === type).map(({ operation }) => operation.input);
  return { anyOf: [...new Set(schemas)].map((schema) => reference(inputName(schema))) };
}

function input(contentSchema: object, example: string) {
  return {
    in: 'query',
    name: 'input',
    description: 'The input as JSON.',
    schema: {
      type: 'string',
      maxLength: MAX_QUERY_LENGTH,
      contentMediaType: 'application/json',
      contentSchema,
    },
    examples: { one: { value: example } },
  } as const;
}

function lastEventId(place: 'query' | 'header', name: string) {
  const description = 'The id of the last message, to resume after it.';
  return { in: place, name, description, schema: { type: 'string', maxLength: 128 } } as const;
}

function procedures(type: OperationType) {
  const names = namesOf(type);
  return {
    in: 'path',
    name: 'procedures',
    required: true,
    description: names.map((name) => `\`${name}\``).join(', '),
    schema: {
      type: 'string',
      maxLength: LIMITS.batchCalls * (LONGEST_NAME + 1),
      pattern: '^[A-Za-z]+[.][A-Za-z]+(,[A-Za-z]+[.][A-Za-z]+)*$',
      examples: names,
    },
  } as const;
}

function namesOf(type: OperationType): string[] {
  return PROCEDURES.filter(({ operation }) => operation.type === type).map(({ name }) => name);
}

/** Returns the problems of the access and the declarations of all operations of a type. */
function problemsOf(type: OperationType): ProblemSlug[] {
  const problems = PROCEDURES.filter(({ operation }) => operation.type === type).flatMap(({ operation }) => [
    ...operation.access.problems,
    ...(operation.rest?.problems ?? []),
  ]);
  return [...problems, 'not-found', 'method-not-allowed'];
}

/** Returns the responses of tRPC calls. @param resultHeaders headers of a call that is not in a batch */
function trpcResponses(resultHeaders: readonly HeaderName[], problems: readonly ProblemSlug[]) {
  const schema = reference('TrpcResponse');
  const value = { result: { data: EXAMPLE_GUILD } };
  const success = { schema, examples: { result: { summary: 'A result', value } } };
  return {
    200: {
      description: 'The results, all of them successes.',
      headers: headers('RateLimit', 'RateLimit-Policy', ...resultHeaders),
      content: { 'application/json': success },
    },
    207: {
      description: 'The results of a batch, of different statuses.',
      headers: headers('RateLimit', 'RateLimit-Policy'),
      content: { 'application/json': { schema } },
    },
    ...problemResponses(problems, 'trpc'),
  };
}
