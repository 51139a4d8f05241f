import { issuesOf, ProblemError, type ProblemSlug } from '@guild-settings/contract';
import { TRPCError } from '@trpc/server';
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc';
import { z } from 'zod';
import { storeProblem } from '../../domain/store-problem.ts';

/** Problems of failures that tRPC reports itself, by tRPC code. All others are internal errors, which are masked. */
const BY_CODE: ReadonlyMap<TRPC_ERROR_CODE_KEY, ProblemSlug> = new Map([
  ['PARSE_ERROR', 'invalid-request'],
  ['BAD_REQUEST', 'invalid-request'],
  ['NOT_FOUND', 'not-found'],
  ['METHOD_NOT_SUPPORTED', 'method-not-allowed'],
  ['UNSUPPORTED_MEDIA_TYPE', 'unsupported-media-type'],
  ['PAYLOAD_TOO_LARGE', 'body-too-large'],
]);

/** Problems of failures that Fastify reports itself, by HTTP status. */
const BY_STATUS: ReadonlyMap<number, ProblemSlug> = new Map([
  [400, 'invalid-request'],
  [404, 'not-found'],
  [408, 'request-timeout'],
  [413, 'body-too-large'],
  [414, 'invalid-request'],
  [415, 'unsupported-media-type'],
  [431, 'headers-too-large'],
]);

/** Maps a thrown value to a problem of the catalogue. This is the only place where errors are mapped. */
export function problemFrom(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const ofStore = storeProblem(error);
  if (ofStore !== undefined) return ofStore;
  if (error instanceof TRPCError) return problemFromTrpc(error);
  const slug = error instanceof Error && 'statusCode' in error ? BY_STATUS.get(Number(error.statusCode)) : undefined;
  return slug === undefined ? new ProblemError('internal', { cause: error }) : frameworkProblem(slug, error as Error);
}

function problemFromTrpc(error: TRPCError): ProblemError {
  const { cause, code } = error;
  if (code === 'BAD_REQUEST' && cause instanceof z.core.$ZodError) {
    return new ProblemError('invalid-request', { issues: issuesOf(cause) });
  }
  const slug = BY_CODE.get(code);
  if (slug !== undefined && !(cause instanceof ProblemError)) return frameworkProblem(slug, error);
  return code === 'INTERNAL_SERVER_ERROR' || cause instanceof ProblemError
    ? problemFrom(cause ?? new Error(error.message))
    : new ProblemError('internal', { cause: error });
}

/** Returns a problem with the framework's message, which is more precise about a bad request and describes nothing else. */
function frameworkProblem(slug: ProblemSlug, error: Error): ProblemError {
  return new ProblemError(slug, { ...(slug === 'invalid-request' && { detail: error.message }), cause: error });
}
