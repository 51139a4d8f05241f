import { LIMITS } from '@guild-settings/contract';
import { createTRPCClient, httpBatchLink, httpLink, splitLink, type TRPCClient } from '@trpc/client';
import type { AppRouter } from './app-router.ts';
import { authorizedFetch } from './authorized-fetch.ts';
import { MAX_URL_LENGTH, needsOwnRequest } from './batching.ts';
import { deadlineFetch } from './deadline-fetch.ts';
import { etagLink } from './etag-link.ts';
import { requestHeaders } from './request-context.ts';
import { retryLink } from './abort-link.ts';
import { fixedToken, type TokenSource } from './token-source.ts';
import { trpcFetch } from './trpc-fetch.ts';

/** The service's procedures, typed. Calls throw what isGuildSettingsError recognises. */
export type GuildSettingsClient = TRPCClient<AppRouter>;

/** Which service, who calls, and how patiently. */
export interface GuildSettingsClientOptions {
  /** The service's base address, such as `http://127.0.0.1:3000`. */
  readonly url: string | URL;
  /** An access token, or a source of tokens such as clientCredentials. */
  readonly token: string | TokenSource;
  /** Milliseconds that each try has, and the token source before it; 5,000 unless given. */
  readonly timeout?: number;
  /** The most tries after the first, of what is safe to try again; 3 unless given. */
  readonly retries?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Makes a client of the service. Calls of one moment share a request; withRequest gives a call its own.
 * @throws TypeError when `url` is no absolute address
 */
export function createGuildSettingsClient(options: GuildSettingsClientOptions): GuildSettingsClient {
  const { timeout = 5_000, retries = 3, fetch = globalThis.fetch } = options;
  const tokens = typeof options.token === 'string' ? fixedToken(options.token) : options.token;
  const send = authorizedFetch({ send: deadlineFetch({ fetch, timeout }), tokens, timeout });
  const http = { url: trpcAddress(options.url), fetch: trpcFetch(send) };
  return createTRPCClient<AppRouter>({
    links: [
      retryLink(retries),
      splitLink({
        condition: needsOwnRequest,
        true: [etagLink, httpLink({ ...http, headers: ({ op }) => requestHeaders(op) })],
        false: httpBatchLink({ ...http, maxItems: LIMITS.batchCalls, maxURLLength: MAX_URL_LENGTH }),
      }),
    ],
  });
}

function trpcAddress(url: string | URL): string {
  return `${new URL(url).href.replace(/\/+$/, '')}/trpc`;
}
