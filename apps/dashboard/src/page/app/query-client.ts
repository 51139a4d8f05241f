import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { readLevelAgain } from '../guilds/guilds.ts';
import { failureOf, slugOf } from '../service/failure.js';
import { noteSessionOver } from '../session/session.ts';

/** Time after which a page that could not be loaded looks again by itself. */
const RECOVERY_MS = 5_000;

/** Attempts after the first of a query that the service could not answer. */
const RETRIES = 2;

/**
 * Creates the cache of what was read. A refusal because of the session ends it everywhere on the page, and one because of what the
 * person may do has that read again.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (failureOf(error).kind === 'session-over') noteSessionOver(client);
    if (slugOf(error) === 'insufficient-access') readLevelAgain(client);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Without a connection a query fails at once, and the page shows the failure. It would otherwise wait and show nothing.
        networkMode: 'always',
        refetchInterval: ({ state }) => {
          const isOut = state.data === undefined && ['unavailable', 'offline'].includes(failureOf(state.error).kind);
          return state.error !== null && isOut ? RECOVERY_MS : false;
        },
        retry: (failures, error) => {
          const { kind, retryAfter } = failureOf(error);
          return kind === 'unavailable' && retryAfter === undefined && failures < RETRIES;
        },
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
