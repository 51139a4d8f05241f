import { ProblemError } from '@guild-settings/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { type DiscordOAuth, OAuthError, type OAuthFault } from '../discord/discord-oauth.ts';
import type { Cookies } from '../http/cookies.ts';
import type { Metrics } from '../http/metrics.ts';
import { isOpened, type MountedPage } from '../http/page-files.ts';
import { refuse, sendProblem } from '../http/problems.ts';
import { KeyRing } from '../secrets/key-ring.ts';
import { deviceOf } from '../session/device.ts';
import { endsOf, hashOf } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { MAX_KEYS } from './bounded-limit.ts';
import type { LoginLimit } from './login-limit.ts';
import { returnPath } from './return-path.ts';

/** Time that a person has between /login and /callback. */
const LOGIN_MS = 600_000;

/** The encrypted state of a login, which the browser keeps. */
const Transaction = z.object({
  state: z.string(),
  verifier: z.string(),
  to: z.string(),
  expiresAt: z.number(),
  /** The hash of the id of the session that the browser has. */
  replaces: z.string().nullable(),
});
type Transaction = z.infer<typeof Transaction>;

const CONTEXT = 'login';

type LoginFailure = 'failed' | 'denied' | 'expired';

const FAILURES: Readonly<Record<OAuthFault, LoginFailure>> = {
  denied: 'denied',
  expired: 'expired',
  mismatch: 'expired',
  refused: 'failed',
  unavailable: 'failed',
};

interface LoginOptions {
  readonly url: string;
  readonly oauth: DiscordOAuth;
  readonly sessions: Sessions;
  readonly cookies: Cookies;
  readonly keys: readonly Buffer[];
  readonly clock: Clock;
  readonly limit: LoginLimit;
  readonly metrics: Metrics;
  readonly page: MountedPage;
}

/**
 * Mounts /login, which leads to Discord's page, and /callback, to which that leads back. A login is completed by the browser that
 * began it alone, and once: the response has to have the state that is in the browser's cookie.
 */
export function mountLogin(app: FastifyInstance, options: LoginOptions): void {
  const { url, oauth, sessions, cookies, keys, clock, limit, metrics, page } = options;
  const ring = new KeyRing(keys, 'logins');

  /** The states of used cookies: a client can send a cookie again that was deleted. */
  const used = new LRUCache<string, true>({ max: MAX_KEYS, ttl: LOGIN_MS });

  /** Returns what a cookie holds, the first time. */
  const takeTransaction = (sealed = ''): Transaction | null => {
    const text = ring.open(sealed, CONTEXT);
    const transaction = text === null ? null : Transaction.parse(JSON.parse(text));
    if (transaction === null || transaction.expiresAt <= clock() || used.has(transaction.state)) return null;
    used.set(transaction.state, true);
    return transaction;
  };

  /** Sends a page to people, who have followed a link, and a problem to programs. */
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (!isOpened(request)) return sendProblem(request, reply.header('vary', 'accept'), error);
    const { slug } = refuse(request, reply, error);
    return page.sendRefusal(slug === 'rate-limited' ? 'limited' : 'failed', request, reply);
  };

  app.get<{ Querystring: { to?: unknown; prompt?: unknown } }>('/login', { errorHandler }, async (request, reply) => {
    // The cookies of localhost and of 127.0.0.1 are apart. Elsewhere a proxy may have replaced the host.
    if (url.startsWith('http:') && request.host !== new URL(url).host) return redirect(reply, `${url}${request.url}`);
    await limit.begin(request.ip);
    const { to, prompt } = request.query;
    // A page of another site begins no login without a question: the cookie of the session, which it would replace, is not sent.
    const isSilent = prompt !== 'consent' && request.headers['sec-fetch-site'] !== 'cross-site';
    const { state, verifier, location } = await oauth.begin({ isSilent });
    const replaces = hashOf(cookies.session.read(request) ?? '');
    const transaction: Transaction = { state, verifier, to: returnPath(to), expiresAt: clock() + LOGIN_MS, replaces };
    cookies.login.write(reply, ring.seal(JSON.stringify(transaction), CONTEXT), LOGIN_MS);
    return redirect(reply, location);
  });

  app.get('/callback', { errorHandler }, async (request, reply) => {
    const transaction = takeTransaction(cookies.login.read(request));
    cookies.login.clear(reply);
    const fail = (failure: LoginFailure, to: string) => {
      metrics.login(failure);
      return redirect(reply, failurePath(failure, to));
    };
    if (transaction === null) return fail('expired', '/');
    try {
      const code = oauth.codeOf(new URL(request.url, 'http://callback').searchParams, transaction);
      // A login that Discord does not receive is not counted: a wrong state, or a consent that was denied.
      const succeed = await limit.complete(request.ip);
      const tokens = await code.exchange();
      const user = await oauth.user(tokens.accessToken);
      const device = deviceOf(request.headers['user-agent']);
      const { id, session } = await sessions.start({ user, tokens, device, replaces: transaction.replaces });
      await succeed();
      metrics.login('completed');
      cookies.session.write(reply, id, endsOf(session).until - clock());
      return redirect(reply, transaction.to);
    } catch (error) {
      if (error instanceof ProblemError && error.slug === 'rate-limited') {
        metrics.login('limited');
        throw error;
      }
      if (!(error instanceof OAuthError)) request.log.error({ err: error }, 'a login has failed');
      else if (FAILURES[error.fault] === 'failed') request.log.warn({ err: error }, 'a login has failed');
      const failure = error instanceof OAuthError ? FAILURES[error.fault] : 'failed';
      return fail(failure, transaction.to);
    }
  });
}

function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.redirect(location, 302);
}

/** Returns the address of the page that explains why a login has failed. `to` is for another attempt. */
function failurePath(failure: LoginFailure, to: string): string {
  return `/?${new URLSearchParams({ login: failure, ...(to !== '/' && { to }) })}`;
}
