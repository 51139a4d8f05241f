import { ProblemError } from '@guild-settings/contract';
import type { FastifyRequest } from 'fastify';
import { type OpenedSession, SessionOverError } from '../auth/session-refresh.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { Cookies } from './cookies.ts';

/** The header of requests that a script of the page has made: forms and images of other sites cannot send it. */
const SCRIPT = { header: 'x-requested-by', value: 'dashboard' };

/** The header with the id of the person whom the page shows. */
const PERSON_HEADER = 'x-requested-for';

/** The parameter with that id, for reads: an `EventSource` and a preload send no headers of their own. */
const PERSON_PARAMETER = 'requested-for';

/** The session of a request, in place of a token. */
export interface RequestSession {
  readonly idHash: string;
  readonly token: string;
  /** Replaces a token that Discord has rejected. @returns false: by no other one @throws ProblemError */
  renew(): Promise<boolean>;
}

/** Finds the sessions of requests by their cookies. */
export class SessionRequests {
  readonly #sessions: Sessions;
  readonly #cookies: Cookies;
  readonly #origin: string;

  constructor(sessions: Sessions, cookies: Cookies, origin: string) {
    this.#sessions = sessions;
    this.#cookies = cookies;
    this.#origin = origin;
  }

  /** Returns the id of the session that a request has in place of a token. Beside a token, the cookie does not count. */
  idOf(request: FastifyRequest): string | undefined {
    return request.headers.authorization === undefined ? this.#cookies.session.read(request) : undefined;
  }

  /** Returns whether a session is one that this process has found before. */
  isKnown(request: FastifyRequest): boolean {
    return this.#sessions.isKnown(this.idOf(request) ?? '');
  }

  /** Returns the session of a request of the page. @throws SessionOverError; ProblemError invalid-request for other requests */
  async find(request: FastifyRequest): Promise<OpenedSession> {
    requireSameOrigin(request, this.#origin);
    const personId = personOf(request);
    const session = await this.#sessions.find(this.idOf(request) ?? '');
    // The page of a person who was logged in before.
    if (session?.userId !== personId || session === null) throw new SessionOverError();
    return session;
  }

  /** Opens the session of a call: finds its token, which is renewed where it has expired. @throws as {@link find}, and discord-unavailable */
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

  /** Calls a function when a session has ended, in any process. @returns ends that */
  follow({ idHash }: RequestSession, onEnd: () => void): () => void {
    return this.#sessions.streams.open(idHash, onEnd);
  }
}

/**
 * Refuses requests that a page of another origin has caused, or none. A change also needs a header that only a script can set.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
function requireSameOrigin(request: FastifyRequest, origin: string): void {
  if (!isSameOrigin(request, origin)) {
    const detail =
      'Expected a request of a page of this origin: Sec-Fetch-Site: same-origin, or its Origin where that is not sent.';
    throw new ProblemError('invalid-request', { detail });
  }
  if (!isRead(request) && request.headers[SCRIPT.header] !== SCRIPT.value) {
    const detail = `Expected the header X-Requested-By: ${SCRIPT.value}, by which a script of the page is known.`;
    throw new ProblemError('invalid-request', { detail });
  }
}

function isSameOrigin(request: FastifyRequest, origin: string): boolean {
  const { 'sec-fetch-site': site, origin: sent, referer = '' } = request.headers;
  if (sent !== undefined && sent !== origin) return false;
  if (site !== undefined) return site === 'same-origin';
  if (sent !== undefined) return true;
  // Browsers name the origin of a read in no other header.
  return isRead(request) && URL.canParse(referer) && new URL(referer).origin === origin;
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Returns the id of the person whom the page shows. @throws ProblemError invalid-request without one, and with several */
function personOf(request: FastifyRequest): string {
  const { [PERSON_PARAMETER]: parameter } = request.query as Readonly<Record<string, unknown>>;
  const named = [request.headers[PERSON_HEADER], isRead(request) ? parameter : undefined];
  const [id, ...others] = new Set(named.filter((one) => one !== undefined));
  if (typeof id === 'string' && others.length === 0) return id;
  const where = isRead(request) ? `, or the parameter ${PERSON_PARAMETER}` : '';
  const detail = `Expected the id of the person whom the page shows, once, in the header X-Requested-For${where}.`;
  throw new ProblemError('invalid-request', { detail });
}
