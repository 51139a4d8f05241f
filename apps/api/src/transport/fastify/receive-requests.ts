import { ProblemError } from '@guild-settings/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
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

/** The paths of the page's router. Some of them are paths of REST as well. */
const PAGE_PATH = /^\/(?:sessions\/?|guilds\/[^/]+(?:\/.*)?)?$/;

/** Returns whether a path is one of the page, by its route: an address can be written in many ways. It may be a path of REST as well. */
function isPagePath({ url, routeOptions }: FastifyRequest): boolean {
  return PAGE_PATH.test(routeOptions.url ?? url.split('?', 1)[0] ?? '');
}

/** Returns whether a browser opens an address: a read whose `Accept` prefers HTML, and that has no token. */
export function prefersPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false;
  const { accept } = headers;
  if (accept === undefined || accept.length > MAX_ACCEPT_LENGTH) return false;
  // The first one is that of `*/*`.
  return new Negotiator({ headers: { accept } }).mediaType(TYPES) === 'text/html';
}

/** The longest header that is parsed. No limit of requests applies yet, and thousands of types take milliseconds. */
const MAX_ACCEPT_LENGTH = 1_024;

const TYPES = ['application/json', 'text/html'];

/** Returns whether the page's document answers a request: a browser opens a path of the page, or one that does not exist. */
export function isOpened(request: FastifyRequest): boolean {
  return (isPagePath(request) || !isListed(request)) && prefersPage(request);
}

/** Returns whether a path exists. The router matches a parameter with an empty segment as well: `/guilds/` is no guild. */
function isListed({ is404, params }: FastifyRequest): boolean {
  return !is404 && !Object.values(params ?? {}).includes('');
}
