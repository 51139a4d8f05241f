import type { AppRouter } from '@guild-settings/client';
import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client';
import type { AwaitedProcedures } from './awaited-procedures.ts';
import { headersOf, keepResponseHeaders } from './send.ts';

/** The procedures of the service. */
export type Service = TRPCClient<AppRouter> & AwaitedProcedures;

/** The procedures of the service, called through the server of this page with the person's session. */
export const service = createTRPCClient<AppRouter>({
  links: [
    keepResponseHeaders,
    httpLink({ url: '/trpc', headers: ({ op }) => ({ 'x-requested-by': 'dashboard', ...headersOf(op) }) }),
  ],
}) as Service;
