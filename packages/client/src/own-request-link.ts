import { httpLink, type TRPCLink } from '@trpc/client';
import type { AppRouter } from './app-router.ts';
import { requestHeaders, requestOf } from './request-context.ts';
import type { TokenSource } from './token-source.ts';
import type { LinkFetch } from './trpc-fetch.ts';

interface OwnRequestOptions {
  readonly url: string;
  /** Sends requests with the token of the client. */
  readonly fetch: LinkFetch;
  /** Returns a function that sends requests with another token. */
  readonly fetchAs: (token: string | TokenSource) => LinkFetch;
}

/** Makes the last link, which sends each call in a request of its own: with the headers of the call, and with its token if it has one. */
export function ownRequestLink({ url, fetch, fetchAs }: OwnRequestOptions): TRPCLink<AppRouter> {
  const linkOf = (sender: LinkFetch) =>
    httpLink<AppRouter>({ url, fetch: sender, headers: ({ op }) => requestHeaders(op) });
  const ofClient = linkOf(fetch);
  return (runtime) => {
    const sendAsClient = ofClient(runtime);
    return (call) => {
      const token = requestOf(call.op)?.token;
      return token === undefined ? sendAsClient(call) : linkOf(fetchAs(token))(runtime)(call);
    };
  };
}
