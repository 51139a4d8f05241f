import { EXPORT_SCHEMA_PATH, PROBLEM_SLUGS, type ProblemSlug } from '@guild-settings/contract';
import type { OpenAPIObject } from 'trpc-openapi';
import { type HeaderName, headers } from './headers.ts';
import { problemResponses, REQUEST_PROBLEMS } from './operation-paths.ts';

interface Description {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly mediaType: string;
  readonly schema?: object;
  /** Statuses other than 200 with the same body. */
  readonly also?: Readonly<Record<number, string>>;
  readonly problems?: readonly ProblemSlug[];
  readonly parameters?: readonly object[];
  readonly contentHeaders?: readonly HeaderName[];
}

const HEALTH = { $ref: '#/components/schemas/Health' };
const HTML = 'text/html';

const TEXT = { type: 'string', maxLength: 16 * 1024 * 1024 } as const;

const MAX_SLUG_LENGTH = 64;

const SERVICE: Readonly<Record<string, Description>> = {
  '/healthz': {
    operationId: 'healthz',
    summary: 'Alive',
    description: 'Whether the process serves requests at all.',
    mediaType: 'application/json',
    schema: HEALTH,
  },
  '/readyz': {
    operationId: 'readyz',
    summary: 'Ready for requests',
    description: 'Whether the store can be read and written, and the process is not shutting down.',
    mediaType: 'application/json',
    schema: HEALTH,
    also: { 503: 'Not ready.' },
  },
  '/metrics': {
    operationId: 'metrics',
    summary: 'Metrics for Prometheus',
    description: 'In the text format of Prometheus.',
    mediaType: 'text/plain',
  },
  '/openapi.json': {
    operationId: 'openApiDocument',
    summary: 'This document',
    description: 'OpenAPI 3.1 as JSON.',
    mediaType: 'application/json',
    schema: { type: 'object' },
    contentHeaders: ['ContentTag'],
  },
  '/docs': {
    operationId: 'docs',
    summary: 'This document, rendered',
    description: 'A page to read this document, and to send requests.',
    mediaType: HTML,
    contentHeaders: ['ContentTag'],
  },
  '/docs/js/scalar.js': {
    operationId: 'docsScript',
    summary: 'The script of /docs',
    description: 'The page contains its URL with a hash.',
    mediaType: 'application/javascript',
    contentHeaders: ['ContentTag', 'ImmutableCacheControl'],
  },
  [EXPORT_SCHEMA_PATH]: {
    operationId: 'exportSchema',
    summary: 'The JSON Schema of exports',
    description: 'JSON Schema 2020-12, which permits unknown fields.',
    mediaType: 'application/schema+json',
    schema: { type: 'object' },
    contentHeaders: ['ContentTag'],
  },
  '/problems/{slug}': {
    operationId: 'problem',
    summary: 'About a kind of problem',
    description: 'The page that the `type` of a problem document leads to.',
    mediaType: HTML,
    problems: ['not-found'],
    contentHeaders: ['ContentTag'],
    parameters: [
      {
        in: 'path',
        name: 'slug',
        required: true,
        description: 'The last part of the `type` of a problem document.',
        schema: { type: 'string', maxLength: MAX_SLUG_LENGTH, pattern: '^[a-z-]+$' },
        example: PROBLEM_SLUGS[0],
      },
    ],
  },
};

export function servicePaths(): NonNullable<OpenAPIObject['paths']> {
  const paths = Object.entries(SERVICE).map(([path, description]) => [path, { get: operation(description) }]);
  return { '/': { get: rootRedirect() }, ...Object.fromEntries(paths) };
}

function rootRedirect() {
  const redirect = { description: 'The address is in `Location`.', headers: headers('Location') };
  return {
    tags: ['service'],
    security: [],
    operationId: 'rootRedirect',
    summary: 'To the documentation',
    description: 'Redirects to /docs, or to /openapi.json for a client that accepts JSON and no HTML.',
    responses: { 302: redirect, ...problemResponses(REQUEST_PROBLEMS) },
  };
}

function operation({
  operationId,
  summary,
  description,
  mediaType,
  schema,
  contentHeaders = [],
  ...rest
}: Description) {
  const content = { [mediaType]: { schema: schema ?? TEXT } };
  const statuses = Object.entries({ 200: summary, ...rest.also });
  return {
    operationId,
    summary,
    description,
    tags: ['service'],
    security: [],
    ...(rest.parameters && { parameters: rest.parameters }),
    responses: {
      ...Object.fromEntries(
        statuses.map(([status, response]) => [
          status,
          { description: response, headers: headers(...contentHeaders), content },
        ]),
      ),
      ...(contentHeaders.length > 0 && {
        304: { description: 'The client has this content already.', headers: headers(...contentHeaders) },
      }),
      ...problemResponses([...REQUEST_PROBLEMS, ...(rest.problems ?? [])]),
    },
  };
}
