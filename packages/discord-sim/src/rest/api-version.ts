import { API_PREFIX } from './path.ts';

/** The prefix of `/api/users/@me` and `/api/v9/users/@me`. */
const OTHER_SERVED = /^\/api(?:\/v9)?(?=\/(?!v\d+(?:[/?]|$)))/;

const NOT_SERVED = /^\/api\/v(?!9\b|10\b)\d+(?:\/|$)/;

/**
 * Returns the URL of a request with the current version of the API in place of version 9 or none, and any other URL
 * unchanged: the routes of all of them are the same.
 *
 * @see https://discord.com/developers/docs/reference#api-versioning
 */
export function withCurrentVersion(url: string): string {
  return url.replace(OTHER_SERVED, API_PREFIX);
}

/** Returns whether a path names a version of the API that is not served. */
export function isUnknownVersion(path: string): boolean {
  return NOT_SERVED.test(path);
}
