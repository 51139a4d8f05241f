import { ProblemError } from '@guild-settings/contract';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PrincipalLimit } from '../auth/limits.ts';
import { type OpenedSession, SessionOverError } from '../auth/session-tokens.ts';
import { endsOf, type Sessions } from '../auth/sessions.ts';

/** The header of requests made by a script of the page: forms and images of other sites cannot send it. */
const SCRIPT = { header: 'x-requested-by', value: 'dashboard' };

const PERSON_HEADER = 'x-requested-for';

/** The query parameter with that id, for reads: an `EventSource` and a preload cannot send headers. */
const PERSON_PARAMETER = 'requested-for';

const OTHER_ORIGIN =
  'Expected a request from a page of this origin: with Sec-Fetch-Site: same-origin or, without that header, its Origin.';

/** The session of a request, instead of a token. */
export interface RequestSession {
  readonly idHash: string;
  readonly token: string;
  /** Renews a token that Discord has rejected. @returns false: there is no other token @throws ProblemError */
  renew(): Promise<boolean>;
}

export class SessionRequests {
  readonly #sessions: Sessions;
  readonly #cookies: Cookies;
  readonly #origin: string;

  constructor(sessions: Sessions, cookies: Cookies, origin: string) {
    this.#sessions = sessions;
    this.#cookies = cookies;
    this.#origin = origin;
  }

  /** Returns the id of the session of a request without a token. With a token, the cookie is ignored. */
  idOf(request: FastifyRequest): string | undefined {
    return request.headers.authorization === undefined ? this.#cookies.session.read(request) : undefined;
  }

  isKnown(request: FastifyRequest): boolean {
    return this.#sessions.isKnown(this.idOf(request) ?? '');
  }

  /**
   * Returns the session of a browser whose page does not know yet whom it shows. @throws SessionOverError; ProblemError
   * invalid-request for requests caused by a page of another origin
   */
  async findOfBrowser(request: FastifyRequest, id: string): Promise<OpenedSession> {
    const site = request.headers['sec-fetch-site'] ?? 'none';
    if (site !== 'same-origin' && site !== 'none') throw new ProblemError('invalid-request', { detail: OTHER_ORIGIN });
    const session = await this.#sessions.find(id);
    if (session === null) throw new SessionOverError();
    return session;
  }

  /** Returns the session of a request of the page. @throws SessionOverError; ProblemError invalid-request for other requests */
  async find(request: FastifyRequest): Promise<OpenedSession> {
    requireSameOrigin(request, this.#origin);
    const personId = personOf(request);
    const session = await this.#sessions.find(this.idOf(request) ?? '');
    // The page shows a person who was logged in before.
    if (session?.userId !== personId || session === null) throw new SessionOverError();
    return session;
  }

  /**
   * Opens the session of a call and finds its token, which is renewed if it has expired. @throws the errors of
   * {@link find}, and discord-unavailable
   */
  async open(request: FastifyRequest): Promise<RequestSession> {
    const session = await this.find(request);
    const sessions = this.#sessions;
    let token = await sessions.accessToken(session);
    return {
      idHash: session.idHash,
      get token() {
        return token;
      },
      async renew() {
        const rejected = token;
        token = await sessions.accessToken(session, rejected);
        return token !== rejected;
      },
    };
  }

  /** Calls a function when a session has ended, in any process. @returns a function that stops this */
  follow({ idHash }: RequestSession, onEnd: () => void): () => void {
    return this.#sessions.streams.open(idHash, onEnd);
  }
}

/**
 * Refuses requests caused by a page of another origin, or without an origin. A change also needs a header that only a
 * script can set.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
function requireSameOrigin(request: FastifyRequest, origin: string): void {
  if (!isSameOrigin(request, origin)) throw new ProblemError('invalid-request', { detail: OTHER_ORIGIN });
  if (!isRead(request) && request.headers[SCRIPT.header] !== SCRIPT.value) {
    const detail = `Expected the header X-Requested-By: ${SCRIPT.value}, which scripts of the page send.`;
    throw new ProblemError('invalid-request', { detail });
  }
}

function isSameOrigin(request: FastifyRequest, origin: string): boolean {
  const { 'sec-fetch-site': site, origin: sent, referer = '' } = request.headers;
  if (sent !== undefined && sent !== origin) return false;
  if (site !== undefined) return site === 'same-origin';
  if (sent !== undefined) return true;
  // Browsers send the origin of a read in no other header.
  return isRead(request) && URL.canParse(referer) && new URL(referer).origin === origin;
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Returns the id of the person whom the page shows. @throws ProblemError invalid-request without an id, or with several
 */
function personOf(request: FastifyRequest): string {
  const { [PERSON_PARAMETER]: parameter } = request.query as Readonly<Record<string, unknown>>;
  const named = [request.headers[PERSON_HEADER], isRead(request) ? parameter : undefined];
  const [id, ...others] = new Set(named.filter((one) => one !== undefined));
  if (typeof id === 'string' && others.length === 0) return id;
  const where = isRead(request) ? `, or the parameter ${PERSON_PARAMETER}` : '';
  const detail = `Expected the id of the person whom the page shows, once, in the header X-Requested-For${where}.`;
  throw new ProblemError('invalid-request', { detail });
}

/** The longest cookie header that is parsed. Browsers send all cookies of an origin, which other services may share. */
const MAX_HEADER_LENGTH = 8_192;

interface BrowserCookie {
  read(request: FastifyRequest): string | undefined;
  write(reply: FastifyReply, value: string, maxAgeMs: number): void;
  clear(reply: FastifyReply): void;
}

export interface Cookies {
  readonly session: BrowserCookie;
  /** The id of the logged-in person. It grants no access. */
  readonly person: BrowserCookie;
  /** The encrypted state of a pending login. */
  readonly login: BrowserCookie;
}

/**
 * Returns the cookies of the page. Under https they have the prefix `__Host-`, with which browsers refuse to let
 * another host, or a page without https, set them. The session cookie is not sent with requests caused by another site.
 * The login cookie is, because Discord's page causes the request that completes the login; so is the person's, so that
 * the document can list what its page will load.
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-4.1
 */
export function cookiesOf(origin: string): Cookies {
  const secure = origin.startsWith('https:');
  const named = (name: string, sameSite: 'strict' | 'lax'): BrowserCookie => {
    const options = { name: `${secure ? '__Host-' : ''}${name}`, secure, sameSite, httpOnly: true, path: '/' };
    const send = (reply: FastifyReply, value: string, maxAge: number) =>
      void reply.header('set-cookie', stringifySetCookie({ ...options, value, maxAge }));
    return {
      read({ headers: { cookie = '' } }) {
        if (!cookie.includes(options.name) || cookie.length > MAX_HEADER_LENGTH) return undefined;
        return parseCookie(cookie)[options.name];
      },
      write: (reply, value, maxAgeMs) => send(reply, value, Math.floor(maxAgeMs / 1_000)),
      clear: (reply) => send(reply, '', 0),
    };
  };
  return { session: named('session', 'strict'), person: named('logged-in', 'lax'), login: named('login', 'lax') };
}

interface SessionRouteOptions {
  readonly sessions: Sessions;
  readonly requests: SessionRequests;
  readonly cookies: Cookies;
  readonly limit: PrincipalLimit;
}

const timeOf = (ms: number) => new Date(ms).toISOString();

export function mountSessions(app: FastifyInstance, { sessions, requests, cookies, limit }: SessionRouteOptions): void {
  const count = (userId: string) => limit.spendOf(userId);
  const ownSession = async (request: FastifyRequest) => {
    const session = await requests.find(request);
    count(session.userId);
    return session;
  };
  const clear = (reply: FastifyReply) => {
    cookies.session.clear(reply);
    cookies.person.clear(reply);
    return reply.code(204).send();
  };
  const route = { exposeHeadRoute: false, config: { takesSession: true } };

  // The page does not know its person yet.
  app.get('/session', route, async (request, reply) => {
    const id = requests.idOf(request);
    // A first visit is not a failure, and browsers would log one.
    if (id === undefined) return reply.code(204).send();
    const session = await requests.findOfBrowser(request, id);
    count(session.userId);
    const { userId, userName: name, userAvatar: avatar, locale, startedAt } = session;
    const { idleUntil, until } = endsOf(session);
    return reply.send({
      user: { id: userId, name, avatar },
      locale,
      startedAt: timeOf(startedAt),
      idleUntil: timeOf(idleUntil),
      until: timeOf(until),
    });
  });

  app.get('/sessions', route, async (request, reply) => {
    const own = await ownSession(request);
    const list = await sessions.list(own.userId);
    return reply.send(
      list.map(({ publicId: id, idHash, startedAt, lastUsedAt, device }) => ({
        id,
        isCurrent: idHash === own.idHash,
        startedAt: timeOf(startedAt),
        lastUsedAt: timeOf(lastUsedAt),
        device,
      })),
    );
  });

  app.post('/logout', route, async (request, reply) => {
    try {
      // Not subject to the request limit: people can always log out.
      const { idHash } = await requests.find(request);
      await sessions.end(idHash);
    } catch (error) {
      if (!(error instanceof SessionOverError)) throw error;
      // The person is logged out already. The browser may have the session of another person.
      if ((await sessions.find(cookies.session.read(request) ?? '')) !== null) return reply.code(204).send();
    }
    return clear(reply);
  });

  app.delete('/sessions', route, async (request, reply) => {
    const { userId } = await ownSession(request);
    await sessions.endOfUser(userId);
    return clear(reply);
  });

  app.delete<{ Params: { id: string } }>('/sessions/:id', route, async (request, reply) => {
    const { userId, publicId } = await ownSession(request);
    const { id } = request.params;
    await sessions.endOfUser(userId, id);
    return id === publicId ? clear(reply) : reply.code(204).send();
  });
}
