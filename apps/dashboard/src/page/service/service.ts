import type { AppRouter } from '@guild-settings/client';
import {
  nextBefore,
  type ReceivedArrival,
  type RequestOptions,
  readArrival,
  requestHeaders,
  responseHeadersLink,
  withRequest,
} from '@guild-settings/client/browser';
import { createTRPCClient, httpLink, type TRPCProcedureOptions } from '@trpc/client';
import { pageHeaders, queryAddress } from './requests.ts';

export const service = createTRPCClient<AppRouter>({
  links: [
    responseHeadersLink,
    httpLink({
      url: '/trpc',
      headers: ({ op }) => ({ ...pageHeaders(), ...requestHeaders(op) }),
      fetch: (url, init) =>
        fetch(init?.method === 'GET' ? queryAddress(String(url)) : String(url), init as RequestInit),
    }),
  ],
});

/** Seconds that the service waits until an undo, a restore, an import or an erasure is in use, before it responds. */
export const REVERT_WAIT_SECONDS = 2;

export interface Received<T> {
  readonly data: T;
  readonly etag: string | undefined;
  readonly arrival: ReceivedArrival | undefined;
  /** With a part of a history: the next part is before this revision. */
  readonly before: number | undefined;
}

/**
 * Sends a call with request headers, and returns its result with response headers.
 * @example
 * const { etag } = await send((options) => service.guilds.update.mutate({ guild, prefix: '?' }, options), { ifMatch:
 * '"7"' });
 */
export async function send<T>(
  call: (options: TRPCProcedureOptions) => Promise<T>,
  request: RequestOptions = {},
): Promise<Received<T>> {
  let headers: Headers | undefined;
  const data = await call(
    withRequest({
      ...request,
      onHeaders(received) {
        headers = received;
      },
    }),
  );
  return {
    data,
    etag: headers?.get('etag') ?? undefined,
    arrival: readArrival(headers?.get('arrival') ?? ''),
    before: nextBefore(headers?.get('link') ?? ''),
  };
}
