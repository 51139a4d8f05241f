import { ProblemError } from '@guild-settings/contract';
import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Cookies } from '../http/cookies.ts';
import { type Session, SessionOverError } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';

/** Requests of a person in a window, in all sessions. The service has a lower limit for the calls among them. */
const MAX_REQUESTS = 600;
const WINDOW_SECONDS = 60;

/** Returns the session of a request. @throws SessionOverError when there is none, ProblemError after too many requests */
export type RequireSession = (request: FastifyRequest) => Promise<Session>;

/** Returns a function that finds the session of requests by their cookie. */
export function requireSessionOf(sessions: Sessions, cookies: Cookies): RequireSession {
  const limiter = new RateLimiterMemory({ points: MAX_REQUESTS, duration: WINDOW_SECONDS });
  return async (request) => {
    const session = await sessions.find(cookies.session.read(request) ?? '');
    if (session === null) throw new SessionOverError();
    await limiter.consume(session.userId).catch((error: unknown) => {
      if (!(error instanceof RateLimiterRes)) throw error;
      const retryAfter = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(error.msBeforeNext / 1_000)));
      throw new ProblemError('rate-limited', { retryAfter });
    });
    return session;
  };
}
