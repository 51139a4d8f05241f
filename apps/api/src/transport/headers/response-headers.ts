import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ProblemError } from '@guild-settings/contract';
import type { FastifyInstance } from 'fastify';
import type { ResponseMeta } from '../../operations/call.ts';

/** The form of a client's request id that is safe in headers and logs. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Returns the client's X-Request-Id if it has the required form, a new one otherwise. */
export function requestId(request: { readonly headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Returns the headers of every response. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'cache-control': 'private, no-cache',
    vary: 'Authorization',
    'x-content-type-options': 'nosniff',
  };
}

/** Sets the common headers before a request can fail. */
export function sendCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id));
    const hasHost = request.headers.host !== undefined || request.raw.httpVersion !== '1.1';
    const refusal = () => new ProblemError('invalid-request', { detail: 'An HTTP/1.1 request needs a Host header.' });
    done(hasHost ? undefined : refusal());
  });
}

/** Cache-Control of a record at a past revision. */
const IMMUTABLE = 'private, max-age=31536000, immutable';

/** Returns the strong entity tag of a revision. */
export function entityTag(revision: number): string {
  return `"${revision}"`;
}

/**
 * Returns the facts of a response as headers.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function responseHeaders({ revision, immutable, next, rateLimit }: ResponseMeta): Record<string, string> {
  return {
    ...(revision !== undefined && { etag: entityTag(revision) }),
    ...(immutable === true && { 'cache-control': IMMUTABLE }),
    ...(next !== undefined && { link: `<${next}>; rel="next"` }),
    ...(rateLimit && {
      'ratelimit-policy': `"principal";q=${rateLimit.limit};w=${rateLimit.windowSeconds}`,
      ratelimit: `"principal";r=${rateLimit.remaining};t=${rateLimit.resetSeconds}`,
    }),
  };
}
