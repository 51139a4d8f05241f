import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The longest header of cookies that is parsed. Browsers send all cookies of an origin, which other services may share. */
const MAX_HEADER_LENGTH = 8_192;

export interface BrowserCookie {
  read(request: FastifyRequest): string | undefined;
  write(reply: FastifyReply, value: string, maxAgeMs: number): void;
  clear(reply: FastifyReply): void;
}

export interface Cookies {
  /** The id of the session. */
  readonly session: BrowserCookie;
  /** The id of the person whom the browser has logged in. It opens nothing. */
  readonly person: BrowserCookie;
  /** The sealed state of a login that has begun. */
  readonly login: BrowserCookie;
}

/**
 * Returns the cookies of the page. Under https they have the prefix `__Host-`: browsers refuse to let another host, or a page without
 * https, set them. The session is not sent with requests that another site has caused. The login has to be, because Discord's page
 * causes the request that ends it, and so is the person, so that the document can name what its page will load.
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
