import { METHODS } from 'node:http';
import { ProblemError } from '@guild-settings/contract';
import { clientNetwork } from '@guild-settings/runtime/http-server';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import Negotiator from 'negotiator';
import { createWindows, secondsLeft } from '../auth/limits.ts';
import { sendProblem } from './problems.ts';
import { bearerToken } from './request-info.ts';
import { type Cors, commonHeaders } from './response-headers.ts';

/**
 * Receives every Fastify request before its route. Sets the headers of every response before the request can fail, and
 * refuses unknown paths for every method. OPTIONS from an allowed origin is never refused: a page could not read the
 * refusal, nor that of the actual request.
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

/** Sets the headers of every response, and those of a preflight. @returns true for OPTIONS from an allowed origin */
export function allowPreflight(request: FastifyRequest, reply: FastifyReply, cors: Cors): boolean {
  const { headers, method, id } = request;
  reply.headers(commonHeaders({ requestId: id, origin: headers.origin, cors }));
  const isPreflight = method === 'OPTIONS' && cors.isAllowed(headers.origin);
  if (isPreflight) reply.headers(cors.preflightHeaders(headers));
  return isPreflight;
}

/** The paths of the page's router. Some of them are also REST paths. */
const PAGE_PATH = /^\/(?:sessions\/?|guilds\/[^/]+(?:\/.*)?)?$/;

/**
 * Returns true if a path belongs to the page, by its route, because a URL can be written in many ways. It may also be a
 * REST path.
 */
function isPagePath({ url, routeOptions }: FastifyRequest): boolean {
  return PAGE_PATH.test(routeOptions.url ?? url.split('?', 1)[0] ?? '');
}

/** Returns true if a browser opens a URL: a read without a token whose `Accept` prefers HTML. */
export function prefersPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false;
  const { accept } = headers;
  if (accept === undefined || accept.length > MAX_ACCEPT_LENGTH) return false;
  // The first type matches `*/*`.
  return new Negotiator({ headers: { accept } }).mediaType(TYPES) === 'text/html';
}

/** The longest header that is parsed. No rate limit applies yet, and thousands of types take milliseconds. */
const MAX_ACCEPT_LENGTH = 1_024;

const TYPES = ['application/json', 'text/html'];

/** Returns true if the response is the page's document: a browser opens a path of the page, or an unknown path. */
export function isOpened(request: FastifyRequest): boolean {
  return (isPagePath(request) || !isListed(request)) && prefersPage(request);
}

/**
 * Returns true if a path exists. The router also matches a parameter with an empty segment, but `/guilds/` is not a
 * guild.
 */
function isListed({ is404, params }: FastifyRequest): boolean {
  return !is404 && !Object.values(params ?? {}).includes('');
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Returns true if a path that matches the route exists, for methods that the route does not support. Default: true.
     */
    readonly isListed?: (params: unknown) => boolean;
  }
}

/**
 * Registers every method that Node can parse, so that an unsupported one is a 405 and not a 404. Fastify does not read
 * their bodies: the transports read them, after authorization.
 */
export function registerEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
}

interface CollectedPath {
  readonly methods: Set<string>;
  readonly config: FastifyContextConfig;
}

/** Collects the methods of every route that is registered after this call, by path. */
export function collectMethods(app: FastifyInstance): ReadonlyMap<string, CollectedPath> {
  const paths = new Map<string, CollectedPath>();
  app.addHook('onRoute', ({ url, method, config = {} }) => {
    const path = paths.get(url) ?? { methods: new Set(), config };
    for (const name of [method].flat()) path.methods.add(name);
    paths.set(url, path);
  });
  return paths;
}

/** Responds 204 to OPTIONS, and 405 to methods that a path does not support, both with `Allow`. */
export function mountOtherMethods(app: FastifyInstance, paths: ReadonlyMap<string, CollectedPath>, cors: Cors): void {
  for (const [url, { methods, config }] of [...paths]) {
    const supported = new Set(methods);
    const allow = [...supported, 'OPTIONS'].sort().join(', ');
    const others = app.supportedMethods.filter((method) => !supported.has(method));
    const { isListed = () => true } = config;
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      const isOptions = request.method === 'OPTIONS';
      if (isListed(request.params)) {
        reply.header('allow', allow);
        return isOptions ? reply.code(204).send() : sendProblem(reply, new ProblemError('method-not-allowed'));
      }
      const isPreflight = isOptions && cors.isAllowed(request.headers.origin);
      return isPreflight ? reply.code(204).send() : sendProblem(reply, new ProblemError('not-found'));
    };
    if (others.length > 0) app.route({ url, method: others, handler });
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Returns the number of results of a response that everybody may request. Default: none. */
    readonly publicResults?: (params: unknown) => number;
    /** True: a session counts as a credential. */
    readonly takesSession?: boolean;
  }
}

const WINDOW_MS = 60_000;

/**
 * Requests without credentials from one address, as a multiple of the limit of a person: many people can share an
 * address.
 */
const PEOPLE = 4;

/** Bytes per minute of responses to such requests. */
const MAX_BYTES = 128 * 1_024 * 1_024;

const MAX_ADDRESSES = 100_000;

const DETAIL =
  'Too many requests without credentials were sent from this IP address. Retry after the seconds in Retry-After, or send a token.';

interface StrangerLimitOptions {
  /** Requests per minute of one person; 0: no limit, including for strangers. */
  readonly perMinute: number;
  readonly monotonicMs: () => number;
  readonly isKnown: (token: string) => boolean;
  /** Returns true if the request has a session that was found before; absent: the page is not served. */
  readonly hasKnownSession: ((request: FastifyRequest) => boolean) | undefined;
}

/**
 * Limits requests without credentials by address: their number, and the bytes of the responses. For results that
 * everybody may request, an unknown token is not a credential. Health checks are not limited.
 */
export function limitStrangers(
  app: FastifyInstance,
  { perMinute, monotonicMs, isKnown, hasKnownSession }: StrangerLimitOptions,
): void {
  if (perMinute === 0) return;
  const windows = createWindows({ windowMs: WINDOW_MS, maxClients: MAX_ADDRESSES, monotonicMs });
  const windowOf = ({ ip }: FastifyRequest) => windows(clientNetwork(ip));
  const isStranger = (request: FastifyRequest) => {
    const { method, headers, routeOptions, params } = request;
    const { isProbe = false, publicResults, takesSession = false } = routeOptions.config;
    if (method === 'OPTIONS' || (isProbe && routeOptions.url !== '/metrics')) return false;
    if (takesSession && hasKnownSession?.(request) === true) return false;
    const token = tokenIn(headers.authorization);
    return token === undefined || ((publicResults?.(params) ?? 0) > 0 && !isKnown(token));
  };
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isStranger(request)) return done();
    const window = windowOf(request);
    window.count += Math.max(1, request.routeOptions.config.publicResults?.(request.params) ?? 1);
    if (window.count <= perMinute * PEOPLE && window.bytes <= MAX_BYTES) return done();
    done(new ProblemError('rate-limited', { retryAfter: secondsLeft(window, monotonicMs), detail: DETAIL }));
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'HEAD' && isStranger(request)) windowOf(request).bytes += bytesOf(reply, payload);
    done();
  });
}

function tokenIn(authorization: string | undefined): string | undefined {
  try {
    return bearerToken(authorization);
  } catch {
    return undefined;
  }
}

function bytesOf(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string' || payload instanceof Uint8Array) return payload.length;
  return payload == null ? 0 : Number(reply.getHeader('content-length') ?? 0);
}

/** Adds a REST route, which is also served with a trailing slash. Its log and metrics use the path without it. */
export function routeWithSlash(app: FastifyInstance, route: RouteOptions): void {
  app.route(route);
  app.route({ ...route, url: `${route.url}/` });
}
