import type { FastifyRequest } from 'fastify';
import type { Cookies } from '../http/cookies.ts';
import { type Session, SessionOverError } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';

/** Returns the session of a request. @throws SessionOverError when there is none */
export type RequireSession = (request: FastifyRequest) => Promise<Session>;

/** Returns a function that finds the session of requests by their cookie. */
export function requireSessionOf(sessions: Sessions, cookies: Cookies): RequireSession {
  return async (request) => {
    const session = await sessions.find(cookies.session.read(request) ?? '');
    if (session === null) throw new SessionOverError();
    return session;
  };
}
