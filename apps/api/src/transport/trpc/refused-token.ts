import { LIMITS, PROBLEMS, type ProblemError } from '@guild-settings/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServedOperation } from '../../operations/handler.ts';
import { OPERATIONS_BY_PATH } from '../../operations/handlers.ts';
import { problemFrom, problemHeaders, recordProblem } from '../problems.ts';
import { isDocument, operationsOf, type PublicDocuments, trpcResultOf } from '../public-documents.ts';
import { bearerToken } from '../request-info.ts';
import { trpcErrorOf } from './error-shape.ts';

export type TrpcRequest = FastifyRequest<{ Params: { path: string } }>;

/**
 * Refuses calls without a token, or with a malformed one, as tRPC would: tRPC takes five times as long, and such calls
 * need no permission. Public documents among them are sent.
 * @returns undefined: tRPC handles the request
 */
export function refuseToken(request: TrpcRequest, reply: FastifyReply, documents: PublicDocuments) {
  const refusal = refusalOf(request.headers.authorization);
  if (refusal === undefined) return undefined;
  const operations = operationsOf(request.params.path, isBatchRequest(request));
  if (operations.length > LIMITS.batchCalls) return undefined;
  const isRefused = (one: ServedOperation | undefined) => needsToken(one, request.method);
  const isSent = (one: ServedOperation | undefined) => isDocument(one) && request.method === 'GET';
  if (!operations.some(isRefused) || !operations.every((one) => isSent(one) || isRefused(one))) return undefined;
  return refuseCalls(request, reply, refusal, (one) => isDocument(one) && trpcResultOf(documents.textOf(one)));
}

/**
 * Refuses the calls of a request with one problem, in tRPC's shape.
 * @param resultOf returns the result of an operation that is not refused, as JSON; false: it is refused
 */
export function refuseCalls(
  request: TrpcRequest,
  reply: FastifyReply,
  refusal: ProblemError,
  resultOf: (operation: ServedOperation | undefined) => string | false = () => false,
): FastifyReply {
  recordProblem(request, refusal);
  const isBatch = isBatchRequest(request);
  const names = isBatch ? request.params.path.split(',') : [request.params.path];
  const results = names.map((name) => resultOf(OPERATIONS_BY_PATH.get(name)));
  const bodies = results.map((result, at) =>
    result === false ? JSON.stringify({ error: trpcErrorOf(refusal, names[at] ?? '', request.url) }) : result,
  );
  return reply
    .code(results.some((result) => result !== false) ? MULTI_STATUS : PROBLEMS[refusal.slug].status)
    .headers({ vary: `${reply.getHeader('vary')}, accept`, ...problemHeaders(refusal) })
    .type('application/json')
    .send(isBatch ? `[${bodies.join()}]` : bodies[0]);
}

/** tRPC's status for a batch whose calls have different ones. */
const MULTI_STATUS = 207;

/**
 * Returns true if tRPC treats the request as a batch: the first of several values counts, and a fragment is not part of
 * the query.
 */
export function isBatchRequest({ url }: FastifyRequest): boolean {
  const [, query] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  return query !== undefined && new URLSearchParams(query).get('batch') === '1';
}

function refusalOf(authorization: string | undefined): ProblemError | undefined {
  try {
    bearerToken(authorization);
    return undefined;
  } catch (error) {
    return problemFrom(error);
  }
}

function needsToken(operation: ServedOperation | undefined, method: string): boolean {
  if (operation === undefined || operation.access === 'public') return false;
  switch (operation.type) {
    case 'query':
      return method === 'GET';
    case 'mutation':
      return method === 'POST';
    case 'subscription':
      return false;
  }
}
