import cors from '@fastify/cors';
import { ProblemError } from '@guild-settings/contract';
import type { FastifyInstance } from 'fastify';

/** Headers beyond the safelisted ones that a page may read. */
const EXPOSED = [
  'Accept-Patch',
  'Allow',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

/** What these origins add to an answer to somebody who is no page of any: caches must tell the two apart. */
export function headersWithoutOrigin(origins: readonly string[]): Record<string, string> {
  if (origins.length === 0) return {};
  return {
    vary: 'Authorization, Origin',
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED.join(', '),
  };
}

/** Lets pages of these origins call the service, and pages of no other. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: [...origins],
    credentials: true,
    methods: ['GET', 'HEAD', 'PATCH', 'POST'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    // Our own OPTIONS handlers answer, so that a preflight carries Allow as well.
    preflightContinue: true,
    strictPreflight: false,
  });
  // The plugin takes OPTIONS on every address; on one that there is not, it is 404 like anything else.
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.routeOptions.url === '*' ? new ProblemError('not-found') : undefined);
  });
}
