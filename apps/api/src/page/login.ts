import { PROBLEMS, ProblemError } from '@guild-settings/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type DiscordOAuth, OAuthError, type OAuthFault } from '../auth/discord-oauth.ts';
import { createLoginLimit, MAX_CLIENTS } from '../auth/limits.ts';
import { KeyRing } from '../auth/session-tokens.ts';
import { endsOf, hashOf, type Sessions } from '../auth/sessions.ts';
import type { Clock } from '../clock.ts';
import type { Metrics } from '../observability/metrics.ts';
import { problemFrom, problemHeaders, recordProblem, sendProblem } from '../transport/problems.ts';
import { prefersPage } from '../transport/receive-requests.ts';
import type { SendDocument } from './page-document.ts';
import type { Cookies } from './session-routes.ts';

/** Time limit between /login and /callback. */
const LOGIN_MS = 600_000;

/** The encrypted state of a login, stored in the browser. */
const Transaction = z.object({
  state: z.string(),
  verifier: z.string(),
  to: z.string(),
  expiresAt: z.number(),
  /** The hash of the id of the browser's present session. */
  replaces: z.string().nullable(),
});
type Transaction = z.infer<typeof Transaction>;

const CONTEXT = 'login';

const MAX_PATH_LENGTH = 1_000;

/** A path of this origin. Browsers interpret `//host` and `/\host` as other hosts, and drop tabs and line breaks. */
const PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

type LoginFailure = 'failed' | 'denied' | 'expired';

const FAILURES: Readonly<Record<OAuthFault, LoginFailure>> = {
  denied: 'denied',
  expired: 'expired',
  mismatch: 'expired',
  refused: 'failed',
  unavailable: 'failed',
};

interface LoginOptions {
  readonly origin: string;
  readonly keys: readonly Buffer[];
  readonly oauth: DiscordOAuth;
  readonly sessions: Sessions;
  readonly cookies: Cookies;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly send: SendDocument;
}

/**
 * Mounts /login, which redirects to Discord, and /callback, to which Discord redirects back. Only the browser that
 * began a login can complete it, and only once: the response must have the state in the browser's cookie.
 */
export function mountLogin(app: FastifyInstance, options: LoginOptions): void {
  const { origin, oauth, sessions, cookies, metrics, send } = options;
  const { nowMs, monotonicMs } = options.clock;
  const ring = new KeyRing(options.keys, 'logins');
  const limit = createLoginLimit(monotonicMs);

  /** The states of used cookies: a client can resend a deleted cookie. */
  const used = new LRUCache<string, true>({ max: MAX_CLIENTS, ttl: LOGIN_MS });

  /** Returns the content of a cookie on its first use. */
  const takeTransaction = (sealed = ''): Transaction | null => {
    const text = ring.open(sealed, CONTEXT);
    const transaction = text === null ? null : Transaction.parse(JSON.parse(text));
    if (transaction === null || transaction.expiresAt <= nowMs() || used.has(transaction.state)) return null;
    used.set(transaction.state, true);
    return transaction;
  };

  /** Responds with a page to people, who have followed a link, and with a problem to programs. */
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    reply.header('vary', `${reply.getHeader('vary')}, Accept`);
    if (!prefersPage(request)) return sendProblem(reply, error);
    const problem = problemFrom(error);
    recordProblem(request, problem);
    // The URL of the page may contain a code, which its requests would send as Referer.
    reply.headers({ ...problemHeaders(problem), 'referrer-policy': 'strict-origin' });
    return send(
      request,
      reply.code(PROBLEMS[problem.slug].status),
      problem.slug === 'rate-limited' ? 'limited' : 'failed',
    );
  };
  // HEAD would run the handlers of GET.
  const route = { errorHandler, exposeHeadRoute: false };

  app.get<{ Querystring: { to?: unknown; prompt?: unknown } }>('/login', route, async (request, reply) => {
    // Cookies of localhost and of 127.0.0.1 are separate. Elsewhere a proxy may have replaced the host.
    if (origin.startsWith('http:') && request.host !== new URL(origin).host)
      return redirect(reply, `${origin}${request.url}`);
    limit.begin(request.ip);
    const { to, prompt } = request.query;
    // A login from a page of another site always asks for consent: the cookie of the session that it would replace is
    // not sent.
    const isSilent = prompt !== 'consent' && request.headers['sec-fetch-site'] !== 'cross-site';
    const { state, verifier, location } = await oauth.begin({ isSilent });
    const replaces = hashOf(cookies.session.read(request) ?? '');
    const transaction: Transaction = { state, verifier, to: returnPath(to), expiresAt: nowMs() + LOGIN_MS, replaces };
    cookies.login.write(reply, ring.seal(JSON.stringify(transaction), CONTEXT), LOGIN_MS);
    return redirect(reply, location);
  });

  app.get('/callback', route, async (request, reply) => {
    const transaction = takeTransaction(cookies.login.read(request));
    cookies.login.clear(reply);
    const fail = (failure: LoginFailure, to: string) => {
      metrics.login(failure);
      return redirect(reply, failurePath(failure, to));
    };
    if (transaction === null) return fail('expired', '/');
    try {
      const takeBack = limit.complete(request.ip);
      const tokens = await oauth.complete(request.url, transaction).catch((error: unknown) => {
        // The code was not sent to Discord.
        if (error instanceof OAuthError && (error.fault === 'denied' || error.fault === 'mismatch')) takeBack();
        throw error;
      });
      const user = await oauth.user(tokens.accessToken);
      const device = deviceOf(request.headers['user-agent']);
      const { id, session } = await sessions.start({ user, tokens, device, replaces: transaction.replaces });
      takeBack();
      metrics.login('completed');
      const lifetimeMs = endsOf(session).until - nowMs();
      cookies.session.write(reply, id, lifetimeMs);
      cookies.person.write(reply, user.id, lifetimeMs);
      return redirect(reply, transaction.to);
    } catch (error) {
      if (error instanceof ProblemError && error.slug === 'rate-limited') {
        metrics.login('limited');
        throw error;
      }
      const failure = error instanceof OAuthError ? FAILURES[error.fault] : 'failed';
      if (failure === 'failed') request.log.warn({ err: error }, 'a login has failed');
      return fail(failure, transaction.to);
    }
  });
}

function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.redirect(location, 302);
}

/** Returns the path to which a login returns, if `to` is a path of this origin; otherwise `/`. */
function returnPath(to: unknown): string {
  return typeof to === 'string' && to.length <= MAX_PATH_LENGTH && PATH.test(to) ? to : '/';
}

/** Returns the URL of the page that explains a failed login. `to` is for another attempt. */
function failurePath(failure: LoginFailure, to: string): string {
  return `/?${new URLSearchParams({ login: failure, ...(to !== '/' && { to }) })}`;
}

const MAX_LENGTH = 64;

/** Browsers by their token in User-Agent; those that also contain another browser's token come first. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns the browser and operating system of a User-Agent, such as `Firefox, Windows`; empty: unknown. */
function deviceOf(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, 512);
  const nameIn = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(text))?.[1];
  const names = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return names.join(', ').slice(0, MAX_LENGTH);
}
