import { ProblemError } from '@guild-settings/contract';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';

const REFUSAL =
  'Expected a request of a page of this origin: Sec-Fetch-Site: same-origin, or an Origin or Referer of this origin.';

/**
 * Returns a hook that refuses requests which a page of another origin has caused, or which no page has. A request that changes
 * something also needs a header that forms of other sites cannot send.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function requireSameOrigin(origin: string): onRequestHookHandler {
  return (request, _reply, done) => {
    if (!isSameOrigin(request, origin)) return done(new ProblemError('invalid-request', { detail: REFUSAL }));
    if (!isPlainRead(request) && !hasPageHeader(request)) {
      const detail = 'Expected the header Content-Type: application/json, or X-Requested-By: dashboard.';
      return done(new ProblemError('invalid-request', { detail }));
    }
    done();
  };
}

function isSameOrigin({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin !== undefined) return headers.origin === origin;
  const { referer = '' } = headers;
  return URL.canParse(referer) && new URL(referer).origin === origin;
}

function isPlainRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function hasPageHeader({ headers }: FastifyRequest): boolean {
  return /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '') || headers['x-requested-by'] === 'dashboard';
}
