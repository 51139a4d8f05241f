/** Where the API of this version lives. */
export const API_PREFIX = '/api/v10';

/** The path below `/api/v10` without its query; a path elsewhere is left whole. */
export function pathBelowApi(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.startsWith(`${API_PREFIX}/`) ? path.slice(API_PREFIX.length) : path;
}
