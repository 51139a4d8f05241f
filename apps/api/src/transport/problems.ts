import { issuesOf, PROBLEM_MEDIA_TYPE, PROBLEMS, ProblemError, type ProblemSlug } from '@guild-settings/contract';
import { BODY_MEDIA_TYPES } from '@guild-settings/contract/operations';
import { TRPCError } from '@trpc/server';
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Principal } from '../auth/principal.ts';
import { storeProblem } from '../domain/store-problem.ts';
import type { LoggedPrincipal } from '../observability/log.ts';

/** Problems of failures reported by tRPC itself, by tRPC code. Others are internal errors, which are masked. */
const BY_CODE: ReadonlyMap<TRPC_ERROR_CODE_KEY, ProblemSlug> = new Map([
  ['PARSE_ERROR', 'invalid-request'],
  ['BAD_REQUEST', 'invalid-request'],
  ['NOT_FOUND', 'not-found'],
  ['METHOD_NOT_SUPPORTED', 'method-not-allowed'],
  ['UNSUPPORTED_MEDIA_TYPE', 'unsupported-media-type'],
  ['PAYLOAD_TOO_LARGE', 'body-too-large'],
]);

/** Problems of failures reported by Fastify itself, by HTTP status. */
const BY_STATUS: ReadonlyMap<number, ProblemSlug> = new Map([
  [400, 'invalid-request'],
  [404, 'not-found'],
  [408, 'request-timeout'],
  [413, 'body-too-large'],
  [414, 'invalid-request'],
  [415, 'unsupported-media-type'],
  [431, 'headers-too-large'],
]);

/** Maps a thrown value to a problem of the catalogue. Errors are mapped only here. */
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

/**
 * Returns a problem with the framework's message, which is more precise about an invalid request and reveals nothing
 * else.
 */
function frameworkProblem(slug: ProblemSlug, error: Error): ProblemError {
  return new ProblemError(slug, { ...(slug === 'invalid-request' && { detail: error.message }), cause: error });
}

const REALM = 'Bearer realm="guild-settings"';

/** Values of WWW-Authenticate, by problem. @see https://www.rfc-editor.org/rfc/rfc6750#section-3 */
const CHALLENGES: ReadonlyMap<ProblemSlug, string> = new Map([
  ['not-authenticated', REALM],
  ['invalid-token', `${REALM}, error="invalid_token"`],
  ['insufficient-scope', `${REALM}, error="insufficient_scope", scope="identify guilds"`],
]);

export function problemHeaders({ slug, options }: ProblemError): Record<string, string> {
  const challenge = CHALLENGES.get(slug);
  return {
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
    ...(options.retryAfter !== undefined && { 'retry-after': String(options.retryAfter) }),
    ...(options.tag !== undefined && { etag: `"${options.tag}"` }),
    ...(slug === 'unsupported-media-type' && { 'accept-patch': BODY_MEDIA_TYPES.join(', ') }),
  };
}

/** Maximum characters of the request target in a problem document. */
const MAX_INSTANCE = 256;

/** Sends a problem document, and records it for the log. The principal is the caller, if it is known. */
export function sendProblem(reply: FastifyReply, error: unknown, principal?: Principal): FastifyReply {
  const problem = problemFrom(error);
  recordProblem(reply.request, problem, principal);
  return reply
    .code(PROBLEMS[problem.slug].status)
    .headers(problemHeaders(problem))
    .type(PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify(problem.toProblem(instanceOf(reply.request.url))));
}

/**
 * Records a problem for the log line of its request, and logs an internal error with its cause, which is not sent to
 * clients. An unavailable store or Discord is logged once, where it is detected, and not per request.
 */
export function recordProblem(request: FastifyRequest, problem: ProblemError, principal?: Principal): void {
  request.refusal ??= { problem: problem.slug, principal: principal && loggedPrincipal(principal) };
  if (PROBLEMS[problem.slug].status === 500) request.log.error({ err: problem.cause ?? problem }, 'internal error');
}

function loggedPrincipal(principal: Principal): LoggedPrincipal {
  switch (principal.kind) {
    case 'user':
      return { kind: 'user', id: principal.userId };
    case 'application': {
      const { kind, applicationId: id, onBehalfOf } = principal;
      return { kind, id, ...(onBehalfOf !== undefined && { onBehalfOf }) };
    }
  }
}

/** Returns the path of a request target as a URI reference. The query is omitted, because it may contain secrets. */
export function instanceOf(url: string): string {
  const path = (url.split(/[?#]/, 1)[0] ?? '').slice(0, MAX_INSTANCE);
  return path.replaceAll(/%(?![0-9A-Fa-f]{2})|[^\x21-\x7e]|["<>\\^`{|}]/g, (character) =>
    encodeURIComponent(character),
  );
}
