import { LIMITS } from '@guild-settings/contract';
import { httpLink, type Operation, type TRPCLink } from '@trpc/client';
import { tap } from '@trpc/server/observable';
import type { AppRouter } from './app-router.ts';
import { requestHeaders, requestOf } from './request-context.ts';
import { headersObserver } from './response-headers.ts';
import type { LinkFetch } from './service-fetch.ts';
import type { TokenSource } from './token-source.ts';

interface OwnRequestOptions {
  readonly url: string;
  /** Sends requests with the token of the client. */
  readonly fetch: LinkFetch;
  /** Returns a function that sends requests with another token. */
  readonly fetchAs: (token: string | TokenSource) => LinkFetch;
}

/**
 * Returns true for a call with headers of its own, and for one whose input is so large that ten of them would exceed
 * the service's limit of a batch.
 */
export function needsOwnRequest(op: Operation): boolean {
  return requestOf(op) !== undefined || (op.type === 'mutation' && lengthOf(op.input) > LIMITS.bodyBytes);
}

function lengthOf(input: unknown): number {
  return JSON.stringify(input)?.length ?? 0;
}

/**
 * Makes the last link, which sends each call in a request of its own: with the headers of the call, and with its token if it has
 * one. Headers of the response are passed to its `onHeaders`, `onEtag`, `onArrival` and `onNext`.
 */
export function ownRequestLink({ url, fetch, fetchAs }: OwnRequestOptions): TRPCLink<AppRouter> {
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
