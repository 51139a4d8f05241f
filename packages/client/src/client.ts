import { LIMITS } from '@guild-settings/contract';
import type { Declaration } from '@guild-settings/contract/settings';
import { createTRPCClient, httpBatchLink, splitLink } from '@trpc/client';
import { abortLink } from './abort-link.ts';
import type { AppRouter } from './app-router.ts';
import type { Fetch } from './fetch.ts';
import type { GuildSettingsClient } from './guild-settings-client.ts';
import { needsOwnRequest, ownRequestLink } from './own-request-link.ts';
import { retries } from './retry-policy.ts';
import { baseUrlOf, serviceAt } from './service-address.ts';
import { authorizedFetch, deadlineFetch } from './service-fetch.ts';
import { type TokenSource, tokenSource } from './token-source.ts';

/** The longest URL of a batch of queries, in characters: well below the limits of servers and proxies. */
const MAX_URL_LENGTH = 6_000;

export interface GuildSettingsClientOptions<D extends Declaration | undefined = undefined> {
  /** The service's base URL, such as `http://127.0.0.1:3000`. */
  readonly url: string | URL;
  /** An access token, or a source of tokens such as `clientCredentials`. */
  readonly token: string | TokenSource;
  /** The timeout of each attempt, and of the token source before it; 5,000 unless given. */
  readonly timeoutMs?: number;
  /** The most attempts after the first, of calls that are safe to retry; 3 unless given. */
  readonly retries?: number;
  /** Sends the requests; `fetch` unless given. */
  readonly fetch?: Fetch;
  /** The settings that the team declares. They give the calls their types, and nothing else. */
  readonly settings?: D;
}

/**
 * Creates a client of the service. Concurrent calls share a request, except those with `withRequest`.
 * @throws TypeError when `url` is not absolute
 */
export function createGuildSettingsClient<const D extends Declaration | undefined = undefined>(
  options: GuildSettingsClientOptions<D>,
): GuildSettingsClient<D> {
  const { timeoutMs = 5_000, retries: maxRetries = 3, fetch = globalThis.fetch } = options;
  const baseUrl = baseUrlOf(options.url);
  const send = deadlineFetch({ fetch, timeoutMs, address: serviceAt(baseUrl) });
  const fetchAs = (token: string | TokenSource) =>
    authorizedFetch({ send, tokens: tokenSource(token), tokenTimeoutMs: timeoutMs });
  const http = { url: `${baseUrl}/trpc`, fetch: fetchAs(options.token) };
  const client = createTRPCClient<AppRouter>({
    links: [
      abortLink,
      retries(maxRetries),
      splitLink({
        condition: needsOwnRequest,
        true: ownRequestLink({ ...http, fetchAs }),
        false: httpBatchLink({ ...http, maxItems: LIMITS.batchCalls, maxURLLength: MAX_URL_LENGTH }),
      }),
    ],
  });
  // The types of the declared settings are not those of the router, which knows none.
  return client as unknown as GuildSettingsClient<D>;
}
