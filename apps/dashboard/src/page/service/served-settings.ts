import type { ServedSettings } from '@guild-settings/contract';
import { type DeclaredSettings, servedDeclaration } from '@guild-settings/contract/settings';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { sendQuery } from './service.ts';

/**
 * Time for which a declaration counts as current. It changes with a restart of the service, which an event stream
 * reports.
 */
const MAX_AGE_MS = 60_000;

/**
 * Time between two attempts to read the declaration announced by an event stream: another process may still have the
 * previous one.
 */
const RETRY_MS = 2_000;

export const servedSettingsQuery = queryOptions({
  queryKey: ['settings'] as const,
  queryFn: async ({ signal, client }) => {
    // The first response may be a cached one.
    const isKnown = client.getQueryData(['settings']) !== undefined;
    const headers = isKnown ? { 'cache-control': 'no-cache' } : {};
    return (await sendQuery('settings.get', undefined, { signal, headers })).data;
  },
  staleTime: MAX_AGE_MS,
  select: declaredOf,
});

export function useDeclared(): DeclaredSettings | undefined {
  return useQuery(servedSettingsQuery).data;
}

/**
 * Reads the settings again until they are those of a declaration. @param tag null: no declaration; undefined: unknown,
 * one read is enough
 */
export function useDeclaredAs(tag: string | null | undefined): void {
  useQuery({
    ...servedSettingsQuery,
    refetchInterval: ({ state }) => (tag !== undefined && state.data?.tag !== tag ? RETRY_MS : false),
  });
}

/** The declared settings of each response, cached so that dependent objects are only rebuilt when they have changed. */
const DECLARED = new WeakMap<ServedSettings, DeclaredSettings>();

function declaredOf(served: ServedSettings): DeclaredSettings {
  const declared = DECLARED.get(served) ?? servedDeclaration(served);
  DECLARED.set(served, declared);
  return declared;
}
