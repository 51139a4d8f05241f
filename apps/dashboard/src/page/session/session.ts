import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { requestFor } from '../service/requests.ts';
import { readSession, type Session } from './read-session.ts';

/** The session with which the page was opened. `over`: it has ended since, and the page keeps its content. */
interface SessionState {
  readonly state: 'active' | 'over';
  readonly session: Session;
}

const KEY = ['session'] as const;

const sessionQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ client, signal }): Promise<SessionState> => {
    const session = await readSession(signal);
    const known = client.getQueryData<SessionState>(KEY);
    if (known === undefined) throw new Error('Expected the session with which the page was opened');
    // Another person may have logged in with this browser.
    return session?.user.id === known.session.user.id ? { state: 'active', session } : { ...known, state: 'over' };
  },
  staleTime: 60_000,
  gcTime: Number.POSITIVE_INFINITY,
  // Detects a login or the end of the session in another tab.
  refetchOnWindowFocus: 'always',
});

/** Sets the session with which the page was opened. It is over when another person logs in with this browser. */
export function startSession(client: QueryClient, session: Session): void {
  requestFor(session.user.id);
  client.setQueryData<SessionState>(KEY, { state: 'active', session });
}

export function useSession(): SessionState | undefined {
  return useQuery(sessionQuery).data;
}

/** Returns the person who is, or was until now, logged in. */
export function useUser(): Session['user'] | undefined {
  return useSession()?.session.user;
}

/** Returns the id of the person who is, or was until now, logged in. */
export function readerIdOf(client: QueryClient): string | undefined {
  return client.getQueryData<SessionState>(KEY)?.session.user.id;
}

/** Records that the service has refused a call because the session is over. */
export function noteSessionOver(client: QueryClient): void {
  // A response that was sent before the end would make the session active again.
  void client.cancelQueries({ queryKey: KEY });
  client.setQueryData<SessionState>(KEY, (known) => known && { ...known, state: 'over' });
}
