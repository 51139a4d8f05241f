/** The path prefix of the API. */
export const API_PREFIX = '/api/v10';

/** Returns the path below `/api/v10` without its query, and any other path unchanged. */
export function pathBelowApi(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.startsWith(`${API_PREFIX}/`) ? path.slice(API_PREFIX.length) : path;
}

/** Returns a URL whose path has `@` in place of `%40`, which the router does not decode. */
export function withLiteralAt(url: string): string {
  const [path = '', ...query] = url.split('?');
  return [path.replaceAll('%40', '@'), ...query].join('?');
}
