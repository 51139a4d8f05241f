import { queryOptions } from '@tanstack/react-query';
import { fetchJson } from '../service/requests.ts';

export interface OwnSession {
  readonly id: string;
  readonly isCurrent: boolean;
  readonly startedAt: string;
  readonly lastUsedAt: string;
  /** The browser and the system, such as "Firefox on Linux"; empty: unknown. */
  readonly device: string;
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => {
    const sessions = await fetchJson<readonly OwnSession[]>('/sessions', { signal });
    return sessions.toSorted(
      (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastUsedAt.localeCompare(a.lastUsedAt),
    );
  },
});

export function endSession({ id }: OwnSession): Promise<void> {
  return fetchJson(`/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

export function endAllSessions(): Promise<void> {
  return fetchJson('/sessions', { method: 'DELETE' });
}
