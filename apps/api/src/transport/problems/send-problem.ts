import { PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemError, type ProblemSlug } from '@guild-settings/contract';
import { BODY_MEDIA_TYPES } from '@guild-settings/contract/operations';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.ts';
import type { LoggedPrincipal } from '../../observability/log.ts';
import { problemFrom } from './problem-from.ts';

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

/** Maximum characters of the request target that a problem document repeats. */
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
 * Records a problem for the log line of its request, and logs an internal error with its cause, which clients never
 * receive. A store or a Discord that is unavailable is logged where that is noticed, once, not for each request.
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

/** Returns the path of a request target as a URI reference. The query may hold secrets and is left out. */
export function instanceOf(url: string): string {
  const path = (url.split(/[?#]/, 1)[0] ?? '').slice(0, MAX_INSTANCE);
  return path.replaceAll(/%(?![0-9A-Fa-f]{2})|[^\x21-\x7e]|["<>\\^`{|}]/g, (character) =>
    encodeURIComponent(character),
  );
}
