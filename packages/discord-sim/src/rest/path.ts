export const API_PREFIX = '/api/v10';

/** Returns the path below `/api/v10` without its query, and any other path unchanged. */
export function pathBelowApi(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.startsWith(`${API_PREFIX}/`) ? path.slice(API_PREFIX.length) : path;
}

/** Returns a URL whose path has `@` instead of `%40`, which the router does not decode. */
export function withLiteralAt(url: string): string {
  const [path = '', ...query] = url.split('?');
  return [path.replaceAll('%40', '@'), ...query].join('?');
}

/** The prefix of `/api/users/@me` and `/api/v9/users/@me`. */
const OTHER_SERVED = /^\/api(?:\/v9)?(?=\/(?!v\d+(?:[/?]|$)))/;

const NOT_SERVED = /^\/api\/v(?!9\b|10\b)\d+(?:\/|$)/;

/**
 * Returns the URL of a request with the current API version instead of version 9 or none, and any other URL unchanged:
 * all versions have the same routes.
 *
 * @see https://discord.com/developers/docs/reference#api-versioning
 */
export function withCurrentVersion(url: string): string {
  return url.replace(OTHER_SERVED, API_PREFIX);
}

export function isUnknownVersion(path: string): boolean {
  return NOT_SERVED.test(path);
}
