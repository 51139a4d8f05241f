import { PROBLEM_MEDIA_TYPE, PROBLEMS, ProblemError } from '@guild-settings/contract';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { SessionOverError } from '../session/session.ts';
import { isStoreFailure } from '../session/store-failure.ts';

declare module 'fastify' {
  interface FastifyRequest {
    problem?: string;
  }
}

const NOT_LOGGED_IN = 'You are not logged in, or your session has ended. Log in again.';

const NO_SESSIONS = 'The sessions cannot be read at the moment. Nothing was changed. Try again.';

const TRPC_PREFIX = '/trpc/';

function problemFrom(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof SessionOverError) return new ProblemError('not-authenticated', { detail: NOT_LOGGED_IN });
  if (isStoreFailure(error))
    return new ProblemError('store-unavailable', { detail: NO_SESSIONS, retryAfter: 1, cause: error });
  const status = (error as Partial<FastifyError> | null)?.statusCode;
  if (status === 413) return new ProblemError('body-too-large', { cause: error });
  if (status === 415) return new ProblemError('unsupported-media-type', { cause: error });
  if (status !== undefined && status >= 400 && status < 500)
    return new ProblemError('invalid-request', { cause: error });
  return new ProblemError('internal', { cause: error });
}

/** Returns an error in tRPC's shape, as the service sends it. */
export function trpcErrorOf(error: unknown, path: string) {
  const problem = problemFrom(error);
  const { code, status: httpStatus } = PROBLEMS[problem.slug];
  const data = { code, httpStatus, path: path.slice(TRPC_PREFIX.length), problem: problem.toProblem(path) };
  return { code: TRPC_ERROR_CODES_BY_KEY[code], message: problem.message, data };
}

/**
 * Sets the status and Retry-After of a response that refuses a request, and notes the problem for the log.
 * @returns the problem of the error, without internal details
 */
export function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): ProblemError {
  const problem = problemFrom(error);
  const { status } = PROBLEMS[problem.slug];
  request.problem = problem.slug;
  if (status >= 500) request.log.error({ err: problem.options.cause ?? error }, problem.message);
  reply.code(status);
  if (problem.options.retryAfter !== undefined) reply.header('retry-after', problem.options.retryAfter);
  return problem;
}

/** Sends a problem document, and under /trpc the same within tRPC's envelope of errors. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const problem = refuse(request, reply, error);
  const [path = ''] = request.url.split('?', 1);
  return path.startsWith(TRPC_PREFIX)
    ? reply.type('application/json').send({ error: trpcErrorOf(problem, path) })
    : reply.type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(problem.toProblem(path)));
}
