import type { HTTPLinkOptions } from '@trpc/client';
import type { AppRouter } from './app-router.ts';
import type { Send } from './deadline-fetch.ts';

/** The type of the function with which tRPC's links send requests, which is not exported by a name. */
export type LinkFetch = NonNullable<HTTPLinkOptions<AppRouter['_def']['_config']['$types']>['fetch']>;

/** Adapts a `Send` to tRPC's links, which pass options that are undefined instead of leaving them out. */
export function trpcFetch(send: Send): LinkFetch {
  return (url, { method, headers, body, signal } = {}) =>
    send(String(url), {
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(body != null && { body }),
      ...(signal != null && { signal }),
    });
}
