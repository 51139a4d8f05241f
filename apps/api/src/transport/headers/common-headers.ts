import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ProblemError } from '@guild-settings/contract';
import type { FastifyInstance } from 'fastify';

/** What a caller's own request id may look like, so that it can stand in headers and logs. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The headers of every answer, whatever it is. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'cache-control': 'private, no-cache',
    vary: 'Authorization',
    'x-content-type-options': 'nosniff',
  };
}

/** The caller's X-Request-Id where it is usable, a new one otherwise. */
export function requestId(request: { readonly headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Puts the common headers on every answer before anything else can go wrong. */
export function sendCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id));
    const hasHost = request.headers.host !== undefined || request.raw.httpVersion !== '1.1';
    const refusal = () => new ProblemError('invalid-request', { detail: 'An HTTP/1.1 request needs a Host header.' });
    done(hasHost ? undefined : refusal());
  });
}
