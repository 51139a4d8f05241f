import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';

interface SecondTab {
  /** The address that logs the second person in. */
  readonly url: string;
  /** Serves the tab before the service does. */
  readonly around: (serve: RequestListener) => RequestListener;
}

/**
 * Returns what shows the page as another person in a second tab of a browser: at the other name of this machine, whose cookies are its
 * own, with requests that name the origin of the page. Its address logs in without Discord's page, which leads back to the first name.
 * null: the page is not at a name of this machine.
 */
export function secondTab(pageUrl: string | undefined): SecondTab | null {
  const page = new URL(pageUrl ?? 'https://none.invalid');
  const otherName = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }[page.hostname];
  if (page.protocol !== 'http:' || otherName === undefined) return null;
  const other = new URL(page);
  other.hostname = otherName;
  const login = new URL(`/login?${new URLSearchParams({ as: PEOPLE.owner.id })}`, other);
  return {
    url: login.href,
    around: (serve) => (request, response) => {
      const { headers, url = '/' } = request;
      if (headers.host !== other.host) return serve(request, response);
      if (url === `${login.pathname}${login.search}`) return void logIn(page.origin, request, response);
      headers.origin = headers.origin?.replace(other.origin, page.origin);
      headers.referer = headers.referer?.replace(other.origin, page.origin);
      serve(request, response);
    },
  };
}

/** Logs the person in with the requests that a browser and the page of the simulated Discord send. */
async function logIn(origin: string, { headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const begun = await fetch(`${origin}/login`, { redirect: 'manual' });
    const cookie = begun.headers.getSetCookie().map((header) => header.split(';', 1)[0]);
    const decided = await fetch(begun.headers.get('location') ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ personId: PEOPLE.owner.id, authorize: true }),
    });
    const { location } = (await decided.json()) as { readonly location: string };
    const done = await fetch(location, {
      redirect: 'manual',
      headers: { cookie: cookie.join('; '), 'user-agent': headers['user-agent'] ?? '' },
    });
    response.writeHead(302, { location: '/', 'set-cookie': done.headers.getSetCookie(), 'cache-control': 'no-store' });
    response.end();
  } catch (error) {
    response.writeHead(502, { 'content-type': 'text/plain' }).end(`The login has failed: ${error}\n`);
  }
}
