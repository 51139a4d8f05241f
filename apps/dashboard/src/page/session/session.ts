import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { fetchJson } from '../service/fetch-json.ts';
import { statusOf } from '../service/problem.ts';

/** A person who is logged in, as the server has it. */
export interface Session {
  readonly user: { readonly id: string; readonly name: string; readonly avatar: string | null };
  /** The language that the person has chosen at Discord. */
  readonly locale: string | null;
  readonly startedAt: string;
  readonly idleUntil: string;
  readonly until: string;
}

/**
 * Whether somebody is logged in. `over`: the session has ended while the page was open, which keeps what is on it.
 */
export type SessionState =
  | { readonly state: 'none' }
  | { readonly state: 'active' | 'over'; readonly session: Session };

const KEY = ['session'] as const;

/** The session of this browser. */
export const sessionQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ client, signal }): Promise<SessionState> => {
    const known = client.getQueryData<SessionState>(KEY);
    try {
      return { state: 'active', session: await fetchJson<Session>('/session', { signal }) };
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
      return ended(known);
    }
  },
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
});

/** Returns the session of this browser, and why it could not be read. */
export function useSession() {
  return useQuery(sessionQuery);
}

/** Returns the person who is logged in, or was until now; undefined before a login. */
export function useUser(): Session['user'] | undefined {
  const { data } = useSession();
  return data === undefined || data.state === 'none' ? undefined : data.session.user;
}

/** Notes that the server has refused a call because the session is over. */
export function noteSessionOver(client: QueryClient): void {
  client.setQueryData<SessionState>(KEY, ended);
}

/** Ends the session, and forgets what was read with it. */
export async function logOut(client: QueryClient): Promise<void> {
  await fetchJson('/logout', { method: 'POST' });
  client.clear();
  client.setQueryData<SessionState>(KEY, { state: 'none' });
}

function ended(known: SessionState | undefined): SessionState {
  return known === undefined || known.state === 'none' ? { state: 'none' } : { ...known, state: 'over' };
}

/** Returns the address that begins a login, which leads back to a path of this page. */
export function loginUrl(to: string): string {
  return to === '/' ? '/login' : `/login?to=${encodeURIComponent(to)}`;
}
