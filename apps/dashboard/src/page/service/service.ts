import type { AppRouter } from '@guild-settings/client';
import { requestHeaders, responseHeadersLink } from '@guild-settings/client/browser';
import { createTRPCClient, httpLink } from '@trpc/client';
import { pageHeaders, queryAddress } from './page-headers.ts';

/** The procedures of the service, called with the person's session. */
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
