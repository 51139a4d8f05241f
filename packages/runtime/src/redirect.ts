export interface ConfiguredAddress {
  /** The name of what is expected there, such as `the settings service`. */
  readonly of: string;
  readonly baseUrl: string;
  /** The variable that has the base URL, such as `API_URL`. */
  readonly variable: string;
}

interface RedirectResponse {
  readonly status: number;
  readonly location: string | null | undefined;
}

/** Statuses of redirects. 0 is that of a browser, which does not show where to. */
const STATUSES: ReadonlySet<number> = new Set([0, 301, 302, 303, 307, 308]);

/**
 * Returns the error text for a redirect, which is never followed: a token would travel to another address. The text names the base URL
 * to write instead.
 * @param url the URL of the request
 * @returns undefined: the response is no redirect
 */
export function redirectText(
  { of, baseUrl, variable }: ConfiguredAddress,
  url: string,
  { status, location }: RedirectResponse,
): string | undefined {
  if (!STATUSES.has(status)) return undefined;
  const expected = `Expected ${of} at ${baseUrl}, received a redirect`;
  if (!location || !URL.canParse(location, url)) return `${expected}. Write its own address in ${variable}.`;
  const { origin, pathname } = new URL(location, url);
  const path = new URL(url).pathname.slice(new URL(baseUrl).pathname.replace(/\/+$/, '').length);
  const isMoved = pathname.endsWith(path);
  // Without the query, which may hold what the request had.
  const target = `${origin}${isMoved ? pathname.slice(0, -path.length) : pathname}`;
  const remedy = isMoved && target !== baseUrl ? target : 'its own address';
  return `${expected} to ${target}, which is not followed. Write ${remedy} in ${variable}.`;
}
