import { PROBLEMS, type ProblemError, type ProblemSlug } from '@guild-settings/contract';
import type { FastifyReply } from 'fastify';
import { problemFrom } from './problem-from.ts';

/** The media type of problem documents (RFC 9457). */
export const PROBLEM_JSON = 'application/problem+json';

const REALM = 'Bearer realm="guild-settings"';

/** @see https://www.rfc-editor.org/rfc/rfc6750#section-3 */
const CHALLENGES: ReadonlyMap<ProblemSlug, string> = new Map([
  ['not-authenticated', REALM],
  ['invalid-token', `${REALM}, error="invalid_token"`],
  ['insufficient-scope', `${REALM}, error="insufficient_scope", scope="identify guilds"`],
]);

/** The media types that PATCH takes. @see https://www.rfc-editor.org/rfc/rfc5789#section-3.1 */
export const ACCEPT_PATCH = 'application/json, application/merge-patch+json';

/** The headers that belong to a failure. */
export function problemHeaders({ slug, options }: ProblemError): Record<string, string> {
  const challenge = CHALLENGES.get(slug);
  return {
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
    ...(options.retryAfter !== undefined && { 'retry-after': String(options.retryAfter) }),
    ...(slug === 'unsupported-media-type' && { 'accept-patch': ACCEPT_PATCH }),
  };
}

/** Characters of an address that are repeated to the caller. */
const MAX_INSTANCE = 256;

/** Answers with a problem document; logs what is our own fault. */
export function sendProblem(reply: FastifyReply, error: unknown): FastifyReply {
  const problem = problemFrom(error);
  logProblem(reply.log, problem);
  return reply
    .code(PROBLEMS[problem.slug].status)
    .headers(problemHeaders(problem))
    .type(PROBLEM_JSON)
    .send(JSON.stringify(problem.toProblem(instanceOf(reply.request.url))));
}

/** The failures that somebody has to look at, with their causes, which callers never see. */
export function logProblem(log: FastifyReply['log'], problem: ProblemError): void {
  const { status } = PROBLEMS[problem.slug];
  if (status === 500) log.error({ err: problem.cause ?? problem }, 'internal error');
  else if (status === 503) log.warn({ err: problem.cause, problem: problem.slug }, 'unavailable');
}

/** The address that was asked as a URI reference: without the query, which might hold anything. */
export function instanceOf(url: string): string {
  const path = (url.split(/[?#]/, 1)[0] ?? '').slice(0, MAX_INSTANCE);
  return path.replaceAll(/%(?![0-9A-Fa-f]{2})|[^\x21-\x7e]|["<>\\^`{|}]/g, (character) =>
    encodeURIComponent(character),
  );
}
