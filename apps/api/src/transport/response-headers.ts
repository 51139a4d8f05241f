import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, METHODS } from 'node:http';
import { tagOf, type Version } from '@guild-settings/contract';
import type { Deprecation } from '@guild-settings/contract/operations';
import type { RateLimitState } from '../auth/limits.ts';
import type { Facts, ResponseState } from '../operations/call.ts';
import { VERSION } from '../own-package.ts';

/** The form of a client's request id that is safe in headers and logs. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Returns the client's X-Request-Id if it has the required form, otherwise a new one. */
export function requestId(request: { readonly headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** The Content-Security-Policy directive of every response. Pages have additional ones. */
export const NOT_FRAMED = "frame-ancestors 'none'";

/** The default policy of responses at the origin of the page: a script in one of them could act as the person. */
const NOTHING_RUNS = `default-src 'none'; ${NOT_FRAMED}`;

interface CommonHeaderSource {
  readonly requestId: string;
  readonly origin: string | undefined;
  readonly cors: Cors;
}

export function commonHeaders({ requestId, origin, cors }: CommonHeaderSource): Record<string, string> {
  return {
    'x-request-id': requestId,
    'cache-control': 'private, no-cache',
    vary: 'Authorization',
    'x-content-type-options': 'nosniff',
    'content-security-policy': cors.hasPage ? NOTHING_RUNS : NOT_FRAMED,
    'guild-settings-version': VERSION,
    ...cors.headers(origin),
  };
}

/** Cache-Control of a record at a past revision. */
const IMMUTABLE = 'private, max-age=31536000, immutable';

export function entityTag(version: Version, declarationTag: string | undefined): string {
  return `"${tagOf(version, declarationTag)}"`;
}

/**
 * Returns the response headers for the data of a response.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function responseHeaders(state: ResponseState): Record<string, string> {
  const { facts = {}, declarationTag, rateLimit, deprecation } = state;
  const { version, contentTag, skipped, immutable, publicSeconds, ageSeconds, next, arrival } = facts;
  const links = [...(next === undefined ? [] : [`<${next}>; rel="next"`]), ...linksOf(deprecation)];
  const headers: Record<string, string> = {};
  if (version !== undefined) headers.etag = entityTag(version, declarationTag);
  if (contentTag !== undefined) headers.etag = `"${contentTag}"`;
  if (skipped !== undefined) headers['skipped-settings'] = skipped.join(', ');
  if (immutable === true) headers['cache-control'] = IMMUTABLE;
  if (publicSeconds !== undefined) headers['cache-control'] = `public, max-age=${publicSeconds}`;
  if (ageSeconds !== undefined) headers.age = String(ageSeconds);
  if (links.length > 0) headers.link = links.join(', ');
  if (deprecation) Object.assign(headers, deprecationHeaders(deprecation));
  if (arrival) Object.assign(headers, arrivalHeaders(arrival));
  if (rateLimit) {
    headers['ratelimit-policy'] = rateLimitPolicy(rateLimit);
    headers.ratelimit = rateLimitField(rateLimit);
  }
  return headers;
}

export function rateLimitPolicy({ limit, windowSeconds }: RateLimitState): string {
  return `"principal";q=${limit};w=${windowSeconds}`;
}

export function rateLimitField({ remaining, resetSeconds }: RateLimitState): string {
  return `"principal";r=${remaining};t=${resetSeconds}`;
}

/** @see https://www.rfc-editor.org/rfc/rfc7240#section-3 */
function arrivalHeaders({ state, latencyMs, processes, away, waitSeconds }: NonNullable<Facts['arrival']>) {
  const latency = latencyMs === null ? '' : `; latency=${latencyMs}`;
  const counts = state === 'live' && away !== undefined ? `; processes=${processes}; away=${away}` : '';
  return { arrival: `${state}${latency}${counts}`, 'preference-applied': `wait=${waitSeconds}` };
}

const EXPOSED = [
  'Age',
  'Accept-Patch',
  'Allow',
  'Arrival',
  'Deprecation',
  'ETag',
  'Guild-Settings-Version',
  'Link',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

const OPERATION_METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];

const MAX_AGE_SECONDS = '600';

/**
 * Cross-origin access for pages of these origins. Every response has these headers, including those not sent by
 * Fastify: without them a page receives a network error instead of the status.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export class Cors {
  readonly #origins: ReadonlySet<string>;
  readonly hasPage: boolean;

  /**
   * @param hasPage true: this origin has cookies that grant access, so pages of other origins may not send credentials
   */
  constructor(origins: readonly string[], hasPage: boolean) {
    this.#origins = new Set(origins);
    this.hasPage = hasPage;
  }

  /** The origin to use for a request that could not be read, if only one origin is allowed. */
  get onlyOrigin(): string | undefined {
    const [origin, ...others] = this.#origins;
    return others.length === 0 ? origin : undefined;
  }

  isAllowed(origin: string | undefined): origin is string {
    return origin !== undefined && this.#origins.has(origin);
  }

  /** Returns the headers of a response. `Vary` is set for every origin, so that caches separate them. */
  headers(origin: string | undefined): Record<string, string> {
    if (this.#origins.size === 0) return {};
    return {
      vary: 'Authorization, Origin',
      ...(!this.hasPage && { 'access-control-allow-credentials': 'true' }),
      'access-control-expose-headers': EXPOSED,
      ...(this.isAllowed(origin) && { 'access-control-allow-origin': origin }),
    };
  }

  /**
   * Returns the additional headers of the response to OPTIONS from an allowed origin. They allow the method and headers
   * that the page announces: the service itself refuses what it does not support, with a status that the page can read.
   */
  preflightHeaders(request: IncomingHttpHeaders): Record<string, string> {
    const { 'access-control-request-method': method = '', 'access-control-request-headers': names } = request;
    const methods = METHODS.includes(method) ? new Set([...OPERATION_METHODS, method]) : OPERATION_METHODS;
    return {
      vary: 'Authorization, Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      'access-control-allow-methods': [...methods].join(', '),
      'access-control-max-age': MAX_AGE_SECONDS,
      ...(names !== undefined && { 'access-control-allow-headers': names }),
    };
  }
}

/**
 * Returns the headers for responses of a deprecated operation: the date of its deprecation, and the date of its end.
 * @see https://www.rfc-editor.org/rfc/rfc9745 Deprecation
 * @see https://www.rfc-editor.org/rfc/rfc8594 Sunset
 */
function deprecationHeaders(deprecation: Deprecation | undefined): Record<string, string> {
  if (deprecation === undefined) return {};
  const { since, sunset } = deprecation;
  return {
    deprecation: `@${Date.parse(since) / 1_000}`,
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
  };
}

function linksOf(deprecation: Deprecation | undefined): string[] {
  return deprecation?.link === undefined ? [] : [`<${deprecation.link}>; rel="deprecation"`];
}
