import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { tagOf, type Version } from '@guild-settings/contract';
import type { RateLimitState } from '../../auth/limits.ts';
import type { Facts, ResponseState } from '../../operations/call.ts';
import { VERSION } from '../../own-package.ts';
import type { Cors } from './cors.ts';
import { deprecationHeaders, linksOf } from './deprecation.ts';

/** The form of a client's request id that is safe in headers and logs. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Returns the client's X-Request-Id if it has the required form, a new one otherwise. */
export function requestId(request: { readonly headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** The directive of Content-Security-Policy that every response has. Pages have further ones. */
export const NOT_FRAMED = "frame-ancestors 'none'";

/** The policy of responses at the origin of the page that have none of their own: a script in one of them could act as the person. */
const NOTHING_RUNS = `default-src 'none'; ${NOT_FRAMED}`;

/** The facts of a request that the headers of every response depend on. */
export interface CommonHeaderSource {
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
 * Returns the facts of a response as headers.
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
