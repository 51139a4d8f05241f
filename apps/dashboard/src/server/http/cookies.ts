import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Cookies {
  readonly session: BrowserCookie;
  readonly login: BrowserCookie;
  /** Returns true if a browser has a session by its cookies, also if another site has led to the page. */
  hasSession(request: FastifyRequest): boolean;
}

export interface BrowserCookie {
  read(request: FastifyRequest): string | undefined;
  write(reply: FastifyReply, value: string, maxAgeMs: number): void;
  clear(reply: FastifyReply): void;
}

/**
 * Returns the cookies of the dashboard. Under https they have the prefix `__Host-`: browsers refuse to let another host, or a
 * page without https, set them. The session cookie is not sent with requests that another site has caused. The cookie of a
 * login has to be, because Discord's page causes the request that ends it. The cookie "logged-in" says that there is a session, and opens
 * nothing: it is sent when a link of another site leads to the page, so that the document can name what the page will load.
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-4.1
 */
export function cookiesOf(url: string): Cookies {
  const secure = url.startsWith('https:');
  const prefix = secure ? '__Host-' : '';
  const session = cookie(`${prefix}session`, { secure, sameSite: 'strict' });
  const loggedIn = cookie(`${prefix}logged-in`, { secure, sameSite: 'lax' });
  return {
    session: {
      read: session.read,
      write(reply, value, maxAgeMs) {
        session.write(reply, value, maxAgeMs);
        loggedIn.write(reply, '1', maxAgeMs);
      },
      clear(reply) {
        session.clear(reply);
        loggedIn.clear(reply);
      },
    },
    login: cookie(`${prefix}login`, { secure, sameSite: 'lax' }),
    hasSession: (request) => [session, loggedIn].some(({ read }) => read(request) !== undefined),
  };
}

function cookie(name: string, flags: Pick<CookieSerializeOptions, 'secure' | 'sameSite'>): BrowserCookie {
  const options = { ...flags, httpOnly: true, path: '/' };
  return {
    read: (request) => request.cookies[name],
    write: (reply, value, maxAgeMs) =>
      void reply.setCookie(name, value, { ...options, maxAge: Math.floor(maxAgeMs / 1_000) }),
    clear: (reply) => void reply.clearCookie(name, options),
  };
}
