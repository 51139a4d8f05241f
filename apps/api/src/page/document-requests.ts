import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** The paths of the page's router. Some of them are paths of REST as well. */
const PAGE_PATH = /^\/(?:sessions\/?|guilds\/[^/]+(?:\/.*)?)?$/;

/** Returns whether a path is one of the page, by its route: an address can be written in many ways. It may be a path of REST as well. */
export function isPagePath({ url, routeOptions }: FastifyRequest): boolean {
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
export function isListed({ is404, params }: FastifyRequest): boolean {
  return !is404 && !Object.values(params ?? {}).includes('');
}
