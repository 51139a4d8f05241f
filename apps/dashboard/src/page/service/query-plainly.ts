import { fetchJson } from './fetch-json.ts';

interface PlainQuery {
  /** Asks Discord anew, where the service would respond from its cache. */
  readonly isFresh?: boolean;
  readonly signal: AbortSignal;
}

/** Calls a query without input over tRPC's HTTP protocol, for the first page: it does not load the client. */
export async function queryPlainly<T>(procedure: string, { isFresh = false, signal }: PlainQuery): Promise<T> {
  const headers = isFresh ? { 'cache-control': 'no-cache' } : {};
  const { result } = await fetchJson<{ readonly result: { readonly data: T } }>(`/trpc/${procedure}`, {
    headers,
    signal,
  });
  return result.data;
}
