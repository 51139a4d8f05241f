import { LIMITS, PROBLEMS, type ProblemError } from '@guild-settings/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPERATIONS_BY_PATH } from '../../operations/operations.ts';
import { bearerToken } from '../headers/request-info.ts';
import { problemFrom } from '../problems/problem-from.ts';
import { problemHeaders, recordProblem } from '../problems/send-problem.ts';
import { trpcErrorOf } from './error-shape.ts';

/**
 * Refuses calls without a token, or with a malformed one, as tRPC would: to have it do so takes five times as long, and anybody
 * can send such calls.
 * @returns undefined: tRPC is to judge the request
 */
export function refuseToken(request: FastifyRequest<{ Params: { path: string } }>, reply: FastifyReply) {
  const refusal = refusalOf(request.headers.authorization);
  if (refusal === undefined) return undefined;
  const isBatch = (request.query as { readonly batch?: unknown }).batch === '1';
  const names = isBatch ? request.params.path.split(',') : [request.params.path];
  if (names.length > LIMITS.batchCalls || !names.every((name) => needsToken(name, request.method))) return undefined;
  recordProblem(request, refusal);
  const errors = names.map((name) => ({ error: trpcErrorOf(refusal, name, request.url) }));
  return reply
    .code(PROBLEMS[refusal.slug].status)
    .headers({ vary: `${reply.getHeader('vary')}, accept`, ...problemHeaders(refusal) })
    .type('application/json')
    .send(JSON.stringify(isBatch ? errors : errors[0]));
}

function refusalOf(authorization: string | undefined): ProblemError | undefined {
  try {
    bearerToken(authorization);
    return undefined;
  } catch (error) {
    return problemFrom(error);
  }
}

function needsToken(name: string, method: string): boolean {
  const operation = OPERATIONS_BY_PATH.get(name);
  if (operation === undefined || 'isPublic' in operation.access) return false;
  switch (operation.type) {
    case 'query':
      return method === 'GET';
    case 'mutation':
      return method === 'POST';
    case 'subscription':
      return false;
  }
}
