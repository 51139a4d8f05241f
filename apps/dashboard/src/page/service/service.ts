import type { AppRouter } from '@guild-settings/client';
import { createTRPCClient, httpLink } from '@trpc/client';
import { pageHeaders } from './page-headers.ts';
import { headersOf, keepResponseHeaders } from './send.ts';

/** The procedures of the service, called through the server of this page with the person's session. */
export const service = createTRPCClient<AppRouter>({
  links: [
    keepResponseHeaders,
    httpLink({ url: '/trpc', headers: ({ op }) => ({ ...pageHeaders(), ...headersOf(op) }) }),
  ],
});
