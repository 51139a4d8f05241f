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
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.url === '*') throw new ProblemError('not-found');
  });
}
