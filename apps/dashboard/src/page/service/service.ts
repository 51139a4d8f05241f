import type { AppRouter } from '@guild-settings/client';
import { requestHeaders, responseHeadersLink } from '@guild-settings/client/browser';
import { createTRPCClient, httpLink } from '@trpc/client';
import { pageHeaders } from './page-headers.ts';

/** The procedures of the service, called through the server of this page with the person's session. */
export const service = createTRPCClient<AppRouter>({
  links: [
    responseHeadersLink,
    httpLink({ url: '/trpc', headers: ({ op }) => ({ ...pageHeaders(), ...requestHeaders(op) }) }),
  ],
});
