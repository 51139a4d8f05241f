import cors from '@fastify/cors';
import { ProblemError } from '@guild-settings/contract';
import type { FastifyInstance } from 'fastify';

/** Response headers that scripts may read, beyond the safelisted ones. */
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

/** Returns the response headers for requests without an `Origin`, so that caches separate them from requests with one. */
export function headersWithoutOrigin(origins: readonly string[]): Record<string, string> {
  if (origins.length === 0) return {};
  return {
    vary: 'Authorization, Origin',
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED.join(', '),
  };
}

/** Allows pages of these origins to call the service. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: [...origins],
    credentials: true,
    methods: ['GET', 'HEAD', 'PATCH', 'POST'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    // The OPTIONS routes respond, so that a preflight has Allow as well.
    preflightContinue: true,
    strictPreflight: false,
  });
  // The plugin serves OPTIONS on every path; on unknown paths it must be 404.
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.routeOptions.url === '*' ? new ProblemError('not-found') : undefined);
  });
}
