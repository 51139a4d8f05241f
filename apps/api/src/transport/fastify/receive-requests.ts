import { ProblemError } from '@guild-settings/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isListed, isOpened, isPagePath } from '../../page/document-requests.ts';
import type { Cors } from '../headers/cors.ts';
import { commonHeaders } from '../headers/response-headers.ts';

/**
 * Receives every request of Fastify's before its route does. Sets the headers of every response, before the request can
 * fail, and refuses paths that the service does not have, whatever the method. OPTIONS from an allowed origin is never
 * refused: a page could not read the refusal, nor that of the request which would follow.
 */
export function receiveRequests(app: FastifyInstance, cors: Cors, hasPage: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isPreflight = allowPreflight(request, reply, cors);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return done(new ProblemError('invalid-request', { detail: 'An HTTP/1.1 request needs a Host header.' }));
    }
    const isListedPath = isListed(request);
    if (hasPage && (isPagePath(request) || !isListedPath)) reply.header('vary', `${reply.getHeader('vary')}, Accept`);
    if (isListedPath || (hasPage && isOpened(request))) return done();
    if (isPreflight) return void reply.code(204).send();
    done(new ProblemError('not-found'));
  });
}

/** Sets the headers of every response, and those of a preflight. @returns whether it is OPTIONS from an allowed origin */
export function allowPreflight(request: FastifyRequest, reply: FastifyReply, cors: Cors): boolean {
  const { headers, method, id } = request;
  reply.headers(commonHeaders({ requestId: id, origin: headers.origin, cors }));
  const isPreflight = method === 'OPTIONS' && cors.isAllowed(headers.origin);
  if (isPreflight) reply.headers(cors.preflightHeaders(headers));
  return isPreflight;
}
