import { PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemError, type ProblemSlug } from '@guild-settings/contract';
import type { FastifyReply } from 'fastify';
import { BODY_MEDIA_TYPES } from '../../operations/operation.ts';
import { problemFrom } from './problem-from.ts';

const REALM = 'Bearer realm="guild-settings"';

/** Values of WWW-Authenticate, by problem. @see https://www.rfc-editor.org/rfc/rfc6750#section-3 */
const CHALLENGES: ReadonlyMap<ProblemSlug, string> = new Map([
  ['not-authenticated', REALM],
  ['invalid-token', `${REALM}, error="invalid_token"`],
  ['insufficient-scope', `${REALM}, error="insufficient_scope", scope="identify guilds"`],
]);

/** Returns the headers of a failure. */
export function problemHeaders({ slug, options }: ProblemError): Record<string, string> {
  const challenge = CHALLENGES.get(slug);
  return {
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
    ...(options.retryAfter !== undefined && { 'retry-after': String(options.retryAfter) }),
    ...(slug === 'unsupported-media-type' && { 'accept-patch': BODY_MEDIA_TYPES.join(', ') }),
  };
}

/** Maximum characters of the request target that a problem document repeats. */
const MAX_INSTANCE = 256;

/** Sends a problem document, and logs it if it is a failure of the service. */
export function sendProblem(reply: FastifyReply, error: unknown): FastifyReply {
  const problem = problemFrom(error);
  logProblem(reply.log, problem);
  return reply
    .code(PROBLEMS[problem.slug].status)
    .headers(problemHeaders(problem))
    .type(PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify(problem.toProblem(instanceOf(reply.request.url))));
}

/** Logs a failure of the service with its cause, which clients never receive. */
export function logProblem(log: FastifyReply['log'], problem: ProblemError): void {
  const { status } = PROBLEMS[problem.slug];
  if (status === 500) log.error({ err: problem.cause ?? problem }, 'internal error');
  else if (status === 503) log.warn({ err: problem.cause, problem: problem.slug }, 'unavailable');
}

/** Returns the path of a request target as a URI reference. The query may hold secrets and is left out. */
export function instanceOf(url: string): string {
  const path = (url.split(/[?#]/, 1)[0] ?? '').slice(0, MAX_INSTANCE);
  return path.replaceAll(/%(?![0-9A-Fa-f]{2})|[^\x21-\x7e]|["<>\\^`{|}]/g, (character) =>
    encodeURIComponent(character),
  );
}
