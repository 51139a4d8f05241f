import { PROBLEM_SLUGS, type ProblemSlug } from '@guild-settings/contract';
import type { OpenAPIObject } from 'trpc-openapi';
import { type HeaderName, headers } from './headers.ts';
import { problemResponses } from './problem-responses.ts';

interface Description {
  readonly operationId: string;
  readonly summary: string;
  readonly mediaType: string;
  readonly schema?: object;
  /** Statuses other than 200 with the same body. */
  readonly also?: Readonly<Record<number, string>>;
  readonly problems?: readonly ProblemSlug[];
  readonly parameters?: readonly object[];
  /** Headers of static content, which clients may cache. */
  readonly contentHeaders?: readonly HeaderName[];
}

const HEALTH = { $ref: '#/components/schemas/Health' };
const HTML = 'text/html';

const SERVICE: Readonly<Record<string, Description>> = {
  '/healthz': { operationId: 'healthz', summary: 'Alive', mediaType: 'application/json', schema: HEALTH },
  '/readyz': {
    operationId: 'readyz',
    summary: 'Ready for requests',
    mediaType: 'application/json',
    schema: HEALTH,
    also: { 503: 'Not ready.' },
  },
  '/metrics': { operationId: 'metrics', summary: 'Metrics for Prometheus', mediaType: 'text/plain' },
  '/openapi.json': {
    operationId: 'openApiDocument',
    summary: 'This document',
    mediaType: 'application/json',
    schema: { type: 'object' },
    contentHeaders: ['ContentTag'],
  },
  '/docs/': {
    operationId: 'docs',
    summary: 'This document, rendered',
    mediaType: HTML,
    contentHeaders: ['ContentTag'],
  },
  '/docs/js/scalar.js': {
    operationId: 'docsScript',
    summary: 'The script of /docs/',
    mediaType: 'application/javascript',
    contentHeaders: ['ContentTag', 'ImmutableCacheControl'],
  },
  '/problems/{slug}': {
    operationId: 'problem',
    summary: 'About a kind of problem',
    mediaType: HTML,
    problems: ['not-found'],
    contentHeaders: ['ContentTag'],
    parameters: [{ in: 'path', name: 'slug', required: true, schema: { type: 'string' }, example: PROBLEM_SLUGS[0] }],
  },
};

/** Returns the paths of the service that are not operations. */
export function servicePaths(): NonNullable<OpenAPIObject['paths']> {
  const paths = Object.entries(SERVICE).map(([path, description]) => [path, { get: operation(description) }]);
  const docs = redirection({ operationId: 'docsRedirect', summary: 'To /docs/', status: 301 });
  const summary = 'To /docs/, or to /openapi.json for a client that accepts JSON and no HTML';
  return {
    '/': { get: redirection({ operationId: 'rootRedirect', summary, status: 302 }) },
    ...Object.fromEntries(paths),
    '/docs': { get: docs },
  };
}

function redirection({ operationId, summary, status }: { operationId: string; summary: string; status: number }) {
  const response = { description: 'The address is in `Location`.', headers: headers('Location') };
  return { operationId, tags: ['service'], summary, responses: { [status]: response } };
}

function operation({ operationId, summary, mediaType, schema, contentHeaders = [], ...rest }: Description) {
  const content = { [mediaType]: { schema: schema ?? { type: 'string' } } };
  const statuses = Object.entries({ 200: summary, ...rest.also });
  return {
    operationId,
    summary,
    tags: ['service'],
    security: [],
    ...(rest.parameters && { parameters: rest.parameters }),
    responses: {
      ...Object.fromEntries(
        statuses.map(([status, description]) => [
          status,
          { description, headers: headers(...contentHeaders), content },
        ]),
      ),
      ...(contentHeaders.length > 0 && {
        304: { description: 'The client has this content already.', headers: headers(...contentHeaders) },
      }),
      ...problemResponses([...(rest.problems ?? []), 'internal']),
    },
  };
}
