import type { HTTPLinkOptions } from '@trpc/client';
import type { AppRouter } from './app-router.ts';
import type { Send } from './deadline-fetch.ts';

/** What tRPC's links call to send a request; its type is not exported under a name. */
type LinkFetch = NonNullable<HTTPLinkOptions<AppRouter['_def']['_config']['$types']>['fetch']>;

/** Offers our way of sending to tRPC's links, which leave keys undefined instead of leaving them out. */
export function trpcFetch(send: Send): LinkFetch {
  return (url, { method, headers, body, signal } = {}) =>
    send(String(url), {
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(body != null && { body }),
      ...(signal != null && { signal }),
    });
}
