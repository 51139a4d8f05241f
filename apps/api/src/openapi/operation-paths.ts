import type { ProblemSlug } from '@guild-settings/contract';
import {
  ACCESS,
  type AnyOperation,
  BODY_MEDIA_TYPES,
  operations,
  type RestRoute,
} from '@guild-settings/contract/operations';
import type { OpenAPIObject } from 'trpc-openapi';
import { type ZodType, z } from 'zod';
import { headers, requestHeaders } from './headers.ts';
import { problemResponses, REQUEST_PROBLEMS } from './problem-responses.ts';

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

/** Returns the query parameters of an operation. For trpc-openapi they are a part of the body, unless the method is GET. */
function queryParameters(input: ZodType, { query = [] }: RestRoute) {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' });
  return query.map((name) => {
    const { description, ...schema } = properties[name] as { description?: string };
    return {
      in: 'query' as const,
      name,
      ...(required.includes(name) && { required: true }),
      ...(description && { description }),
      // Separated by commas.
      ...('items' in schema && { style: 'form' as const, explode: false }),
      schema,
    };
  });
}

function bodyContent(schemaName: string | undefined, { bodyExamples: examples }: RestRoute) {
  const media = { schema: { $ref: `#/components/schemas/${schemaName}` }, ...(examples && { examples }) };
  return Object.fromEntries(BODY_MEDIA_TYPES.map((type) => [type, media]));
}
