import { queryOptions } from '@tanstack/react-query';
import { fetchJson } from '../service/fetch-json.ts';

/** A session of the person, as the server lists it. */
export interface OwnSession {
  readonly id: string;
  readonly isCurrent: boolean;
  readonly startedAt: string;
  readonly lastUsedAt: string;
  /** The browser and the system, such as "Firefox on Linux"; empty: unknown. */
  readonly device: string;
}

/** The sessions of the person: this one first, then the one that was used last. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => {
    const sessions = await fetchJson<readonly OwnSession[]>('/sessions', { signal });
    return sessions.toSorted(
      (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastUsedAt.localeCompare(a.lastUsedAt),
    );
  },
});

/** Ends one session. */
export function endSession({ id }: OwnSession): Promise<void> {
  return fetchJson(`/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** Ends all sessions of the person, this one as well. */
export function endAllSessions(): Promise<void> {
  return fetchJson('/sessions', { method: 'DELETE' });
}
