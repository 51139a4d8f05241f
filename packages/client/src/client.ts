import { LIMITS } from '@guild-settings/contract';
import type { Declaration } from '@guild-settings/contract/settings';
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  type Operation,
  splitLink,
  TRPCClientError,
  type TRPCLink,
} from '@trpc/client';
import { observable, tap } from '@trpc/server/observable';
import type { AppRouter } from './app-router.ts';
import { baseUrlOf, type Fetch, serviceAt } from './fetch.ts';
import type { GuildSettingsClient } from './guild-settings-client.ts';
import { requestHeaders, requestOf } from './request-context.ts';
import { headersObserver } from './response-headers.ts';
import { retries } from './retry-policy.ts';
import { authorizedFetch, deadlineFetch, type LinkFetch } from './service-fetch.ts';
import { type TokenSource, tokenSource } from './token-source.ts';

/** Maximum characters of the URL of a batch of queries: well below the limits of servers and proxies. */
const MAX_URL_LENGTH = 6_000;

export interface GuildSettingsClientOptions<D extends Declaration | undefined = undefined> {
  /** The service's base URL, such as `http://127.0.0.1:3000`. */
  readonly url: string | URL;
  /** An access token, or a source of tokens such as `clientCredentials`. */
  readonly token: string | TokenSource;
  /** The timeout of each attempt, and of the token source before it, in milliseconds; 5,000 unless given. */
  readonly timeoutMs?: number;
  /** Maximum retries of calls that are safe to retry; 3 unless given. */
  readonly retries?: number;
  /** Sends the requests; `fetch` unless given. */
  readonly fetch?: Fetch;
  /** The settings that the team declares. They only define the types of the calls. */
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
  // The router does not know the types of declared settings.
  return client as unknown as GuildSettingsClient<D>;
}

interface OwnRequestOptions {
  readonly url: string;
  /** Sends requests with the token of the client. */
  readonly fetch: LinkFetch;
  /** Returns a function that sends requests with another token. */
  readonly fetchAs: (token: string | TokenSource) => LinkFetch;
}

/**
 * Returns true for a call with its own headers, and for a call whose input is so large that ten of them would exceed
 * the service's limit of a batch.
 */
function needsOwnRequest(op: Operation): boolean {
  return requestOf(op) !== undefined || (op.type === 'mutation' && lengthOf(op.input) > LIMITS.bodyBytes);
}

function lengthOf(input: unknown): number {
  return JSON.stringify(input)?.length ?? 0;
}

/**
 * Creates the last link, which sends each call in its own request: with the headers of the call, and with its token if
 * it has one. Response headers are passed to its `onHeaders`, `onEtag`, `onArrival` and `onNext`.
 */
function ownRequestLink({ url, fetch, fetchAs }: OwnRequestOptions): TRPCLink<AppRouter> {
  const linkOf = (sender: LinkFetch) =>
    httpLink<AppRouter>({ url, fetch: sender, headers: ({ op }) => requestHeaders(op) });
  const ofClient = linkOf(fetch);
  return (runtime) => {
    const sendAsClient = ofClient(runtime);
    return (call) => {
      const request = requestOf(call.op);
      if (request === undefined) return sendAsClient(call);
      const send = request.token === undefined ? sendAsClient : linkOf(fetchAs(request.token))(runtime);
      return send(call).pipe(tap(headersObserver(request)));
    };
  };
}

/** Ends a call when its signal is aborted, even while it waits for a retry, or is in a batch with other calls. */
const abortLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const { signal } = op;
      if (signal?.aborted) {
        observer.error(TRPCClientError.from(reasonOf(signal)));
        return;
      }
      let hasResult = false;
      const subscription = next(op).subscribe({
        next(envelope) {
          hasResult = true;
          observer.next(envelope);
        },
        error: (error) => observer.error(error),
        complete() {
          signal?.removeEventListener('abort', abort);
          // tRPC aborts a controller at the completion of every call, with an error whose stack takes longer than the
          // link.
          if (!hasResult) observer.complete();
        },
      });
      function abort() {
        subscription.unsubscribe();
        observer.error(TRPCClientError.from(reasonOf(signal)));
      }
      signal?.addEventListener('abort', abort, { once: true });
      return () => {
        signal?.removeEventListener('abort', abort);
        subscription.unsubscribe();
      };
    });

function reasonOf(signal: AbortSignal | null | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('The call was aborted', 'AbortError');
}
