import type { FastifyInstance } from 'fastify';
import { RATE_LIMIT_HEADERS } from './rate-limit.ts';

const EVERY_ANSWER = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [
    'retry-after',
    'x-ratelimit-global',
    'x-ratelimit-scope',
    'date',
    ...RATE_LIMIT_HEADERS,
  ].join(', '),
};

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, X-Audit-Log-Reason, X-Track',
  'access-control-max-age': '86400',
};

/** Allows browsers of any origin, with bearer tokens and without cookies. Handles preflights. */
export function allowCrossOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(EVERY_ANSWER);
    return request.method === 'OPTIONS' ? reply.code(204).headers(PREFLIGHT).send() : undefined;
  });
}
