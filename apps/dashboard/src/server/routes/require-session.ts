import type { FastifyRequest } from 'fastify';
import type { Cookies } from '../http/cookies.ts';
import { type OpenedSession, SessionOverError } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { BoundedLimit } from './bounded-limit.ts';

const WINDOW_SECONDS = 60;

/** The id of the person for whom a page was opened. Its requests are not made in the name of another one, who has logged in since. */
const REQUESTED_FOR = 'x-requested-for';

/**
 * Returns the session of a request. @throws SessionOverError when there is none, or only that of another person than the page is
 * open for; ProblemError after too many requests
 */
export type RequireSession = (request: FastifyRequest) => Promise<OpenedSession>;

/**
 * Returns a function that finds the session of requests by their cookie.
 * @param perMinute requests of a person, in all sessions; 0: no limit. The service has a lower one for the calls among them.
 */
export function requireSessionOf(sessions: Sessions, cookies: Cookies, perMinute: number): RequireSession {
  const limit = perMinute > 0 ? new BoundedLimit({ points: perMinute, windowSeconds: WINDOW_SECONDS }) : undefined;
  return async (request) => {
    const session = await sessions.find(cookies.session.read(request) ?? '');
    const { [REQUESTED_FOR]: userId } = request.headers;
    if (session === null || (userId !== undefined && userId !== session.userId)) throw new SessionOverError();
    await limit?.spend(session.userId);
    return session;
  };
}
