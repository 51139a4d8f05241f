export interface ConfiguredAddress {
  /** The name of the expected service, such as `the settings service`. */
  readonly of: string;
  readonly baseUrl: string;
  /** The variable that contains the base URL, such as `API_URL`. */
  readonly variable: string;
}

interface RedirectResponse {
  readonly status: number;
  readonly location: string | null | undefined;
}

/** Statuses of redirects. 0 is reported by browsers, which hide the target. */
const STATUSES: ReadonlySet<number> = new Set([0, 301, 302, 303, 307, 308]);

/**
 * Returns the error text for a redirect. Redirects are never followed, because a token would be sent to another
 * address. The text contains the base URL to configure instead.
 * @param url the URL of the request
 * @returns undefined: the response is not a redirect
 */
export function redirectText(
  { of, baseUrl, variable }: ConfiguredAddress,
  url: string,
  { status, location }: RedirectResponse,
): string | undefined {
  if (!STATUSES.has(status)) return undefined;
  const expected = `Expected ${of} at ${baseUrl}, received a redirect`;
  if (!location || !URL.canParse(location, url)) return `${expected}. Set ${variable} to its own address.`;
  const { origin, pathname } = new URL(location, url);
  const path = new URL(url).pathname.slice(new URL(baseUrl).pathname.replace(/\/+$/, '').length);
  const isMoved = pathname.endsWith(path);
  // Without the query, which may repeat data of the request.
  const target = `${origin}${isMoved ? pathname.slice(0, -path.length) : pathname}`;
  const remedy = isMoved && target !== baseUrl ? target : 'its own address';
  return `${expected} to ${target}, which is not followed. Set ${variable} to ${remedy}.`;
}
