import { ResponseError } from './failure.ts';

let userId: string | undefined;

/** The paths of procedures that need no session: their results are the same for all callers. */
const PUBLIC: ReadonlySet<string> = new Set(['/trpc/settings.get', '/trpc/features.list', '/trpc/application.get']);

/**
 * Sets the id of the person who opened this page. The service refuses its requests after another person has logged in
 * with the browser.
 */
export function requestFor(id: string): void {
  userId = id;
}

/** Returns the headers with which the service recognises requests of its page, and the person who opened the page. */
export function pageHeaders(): Record<string, string> {
  return { 'x-requested-by': 'dashboard', ...(userId !== undefined && { 'x-requested-for': userId }) };
}

/** Returns the query parameters with the person who opened the page, for requests without custom headers. */
export function pageParameters(): Record<string, string> {
  return userId === undefined ? {} : { 'requested-for': userId };
}

/**
 * Returns the URL of a query with the person who opened the page. It must exactly equal the URL of the document's
 * preload: otherwise the browser would send the request twice.
 */
export function queryAddress(address: string): string {
  const [path = '', input] = address.split('?');
  if (userId === undefined || PUBLIC.has(path)) return address;
  return `${path}?requested-for=${userId}${input === undefined ? '' : `&${input}`}`;
}

export async function fetchJson<T>(path: string, init?: RequestInit): Promise<T> {
  return (await receiveJson(path, init)).body as T;
}

/**
 * Sends a request with the headers of the page. Returns its response with the body; undefined: it is empty.
 * @throws ResponseError also for a success that is not JSON: a proxy has responded in the place of the service
 */
export async function receiveJson(path: string, init: RequestInit = {}) {
  const headers = { accept: 'application/json', ...pageHeaders(), ...init.headers };
  const response = await fetch(path, { ...init, headers });
  const text = await response.text();
  const body = parsed(text);
  if (!response.ok || (text !== '' && body === undefined)) throw new ResponseError(response, body);
  return { response, body };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
