import { fetchJson, queryAddress } from './requests.ts';

interface PlainQuery {
  readonly input?: object;
  /** True: requests the data from Discord again instead of the service's cache. */
  readonly isFresh?: boolean;
  readonly signal: AbortSignal;
}

/** Calls a query over tRPC's HTTP protocol, for the first page, which does not load the client. */
export async function queryPlainly<T>(procedure: string, { input, isFresh = false, signal }: PlainQuery): Promise<T> {
  const headers = isFresh ? { 'cache-control': 'no-cache' } : {};
  const path = `/trpc/${procedure}${input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`}`;
  const { result } = await fetchJson<{ readonly result: { readonly data: T } }>(queryAddress(path), {
    headers,
    signal,
  });
  return result.data;
}
