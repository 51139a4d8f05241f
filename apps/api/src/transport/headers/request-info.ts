import type { FastifyRequest } from 'fastify';
import type { RequestFacts } from '../../operations/call.ts';

/** What procedures may know of a request. */
export function requestFacts(request: FastifyRequest, door: RequestFacts['door'], calls: number): RequestFacts {
  const { headers } = request;
  return {
    door,
    calls,
    url: request.url,
    address: () => request.ip,
    authorization: headers.authorization,
    onBehalfOf: single(headers['x-on-behalf-of']),
    ifMatch: single(headers['if-match']),
    ifNoneMatch: single(headers['if-none-match']),
    auditReason: single(headers['x-audit-log-reason']),
  };
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
