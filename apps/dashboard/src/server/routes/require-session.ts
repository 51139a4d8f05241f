import type { FastifyRequest } from 'fastify';
import type { Cookies } from '../http/cookies.ts';
import { type OpenedSession, SessionOverError } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { BoundedLimit } from './bounded-limit.ts';
import { isRequestedFor } from './requested-for.ts';

const WINDOW_SECONDS = 60;

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
    if (session === null || !isRequestedFor(request, session.userId)) throw new SessionOverError();
    await limit?.spend(session.userId);
    return session;
  };
}
