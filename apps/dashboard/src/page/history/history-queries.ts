import type { Entry } from '@guild-settings/i18n';
import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { namesReady } from '../people/names.ts';
import { sendQuery } from '../service/service.ts';
import { type HistoryFilters, queryOf } from './filters.ts';

/** Entries that are requested at once when there are newer ones: the contract's `LIMITS.historyEntries`. */
const MAX_NEWER = 100;

type Parts = InfiniteData<HistoryPart, number | undefined>;

/**
 * The history of a guild, part by part. It is never reloaded automatically while it is displayed, because entries would
 * move while they are read: see {@link newerQuery}.
 */
export function historyQuery(guild: string, filters: HistoryFilters) {
  return infiniteQueryOptions({
    queryKey: ['history', guild, filters] as const,
    queryFn: async ({ pageParam, signal, client }): Promise<HistoryPart> => {
      const input = queryOf(guild, filters, pageParam);
      const { data, before } = await sendQuery('guilds.history', input, { signal });
      await namesReady(client, guild, authorsOf(data.entries));
      return { entries: data.entries, before };
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ before }) => before,
    staleTime: Number.POSITIVE_INFINITY,
    // A page that is opened again starts with the newest changes.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

export function newerQuery(guild: string, filters: HistoryFilters, shown: number) {
  const { limit: _limit, ...input } = queryOf(guild, filters);
  return queryOptions({
    queryKey: ['history-newer', guild, filters, shown] as const,
    queryFn: async ({ signal, client }): Promise<readonly Entry[]> => {
      const newer = { ...input, after: shown, limit: MAX_NEWER };
      const { data } = await sendQuery('guilds.history', newer, { signal });
      await namesReady(client, guild, authorsOf(data.entries));
      return data.entries;
    },
    // A query without data is not fetched again while its first response is pending, and a change in between would be
    // missed.
    initialData: [] as readonly Entry[],
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: 'always',
  });
}

export function changeQuery(guild: string, revision: number) {
  return queryOptions({
    queryKey: ['change', guild, revision] as const,
    queryFn: async ({ signal, client }) => {
      const { data } = await sendQuery('guilds.change', { guild, revision }, { signal });
      await namesReady(client, guild, authorsOf([data]));
      return data;
    },
    retry: false,
  });
}

function authorsOf(entries: readonly Pick<Entry, 'actor'>[]): Entry['actor'][] {
  return entries.map(({ actor }) => actor);
}

export function showNewer(
  client: QueryClient,
  key: ReturnType<typeof historyQuery>['queryKey'],
  newer: readonly Entry[],
) {
  client.setQueryData<Parts>(key, (data) => data && { ...data, pages: mergeNewer(data.pages, newer) });
}

/** Loads and shows changes that are newer than the displayed ones, after a change by the reader. */
export async function showOwnChange(client: QueryClient, guild: string, filters: HistoryFilters): Promise<void> {
  const { queryKey } = historyQuery(guild, filters);
  const shown = newestShown(client.getQueryData(queryKey)?.pages ?? []);
  showNewer(client, queryKey, await client.fetchQuery(newerQuery(guild, filters, shown)));
}

export interface HistoryPart {
  readonly entries: readonly Entry[];
  /** The next part is before this revision; undefined: no next part. */
  readonly before: number | undefined;
}

/**
 * Inserts new changes at the start of the list without duplicates. Displayed changes that a new one has undone get its
 * number, as in later responses of the service.
 */
export function mergeNewer(parts: readonly HistoryPart[], newer: readonly Entry[]): HistoryPart[] {
  const undoneBy = new Map(newer.toReversed().map(({ undoes, revision }) => [undoes, revision]));
  const marked = parts.map((part) => ({
    ...part,
    entries: part.entries.map((entry) => {
      const undo = undoneBy.get(entry.revision);
      return undo === undefined ? entry : { ...entry, undoneBy: undo };
    }),
  }));
  const [first, ...others] = marked;
  if (first === undefined) return [{ entries: newer, before: undefined }];
  const shown = new Set(marked.flatMap(({ entries }) => entries.map(({ revision }) => revision)));
  const added = newer.filter(({ revision }) => !shown.has(revision));
  return [{ ...first, entries: [...added, ...first.entries] }, ...others];
}

export function newestShown(parts: readonly HistoryPart[]): number {
  return parts[0]?.entries[0]?.revision ?? 0;
}
