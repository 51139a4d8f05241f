import type { HTTPLinkOptions } from '@trpc/client';
import type { AppRouter } from './app-router.ts';
import type { Send, SendOptions } from './deadline-fetch.ts';

/** The type of the function with which tRPC's links send requests, which is not exported by a name. */
export type LinkFetch = NonNullable<HTTPLinkOptions<AppRouter['_def']['_config']['$types']>['fetch']>;

/** Adapts a `Send` to tRPC's links, which pass options that are undefined instead of leaving them out. */
export function trpcFetch(send: Send): LinkFetch {
  return (url, { method, headers, body, signal } = {}) => {
    const options: { -readonly [Name in keyof SendOptions]: SendOptions[Name] } = {};
    if (method !== undefined) options.method = method;
    if (headers !== undefined) options.headers = headers;
    if (body != null) options.body = body;
    if (signal != null) options.signal = signal;
    return send(String(url), options);
  };
}
