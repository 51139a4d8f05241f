import type { Application, GuildLevel, ManagedGuildSummary } from '@guild-settings/contract';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { sendQuery } from '../service/service.ts';

/** The interval at which the page checks if the bot has joined. The bot reports it, without a request to Discord. */
const ARRIVAL_POLL_MS = 3_000;

const KEY = ['guilds'] as const;
const OWN = 'own-guild';

const WRITERS = ['manager', 'editor'] as const satisfies readonly GuildLevel[];

export const guildsQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => (await sendQuery('users.guilds', undefined, { signal })).data,
});

/** The guilds that the person may open, requested from Discord again, so that recent changes are included. */
export const freshGuildsQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) =>
    (await sendQuery('users.guilds', undefined, { signal, headers: { 'cache-control': 'no-cache' } })).data,
  staleTime: 0,
});

/** The application of the bot, which does not change. */
export const applicationQuery = queryOptions({
  queryKey: ['application'],
  queryFn: async ({ signal }) => (await sendQuery('application.get', undefined, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});

function ownGuildQuery(id: string) {
  return queryOptions({
    queryKey: [OWN, id] as const,
    queryFn: async ({ signal }) => (await sendQuery('users.guild', { guild: id }, { signal })).data,
  });
}

/** Returns the query of one guild with its result, taken from the list if that is loaded. */
export function useOwnGuild(id: string) {
  const client = useQueryClient();
  return useQuery({
    ...ownGuildQuery(id),
    initialData: () => client.getQueryData(guildsQuery.queryKey)?.find((guild) => guild.id === id),
    initialDataUpdatedAt: () => client.getQueryState(guildsQuery.queryKey)?.dataUpdatedAt,
  });
}

/** Returns the name of a guild, or its id if the name is only white space. */
export function titleOf({ name, id }: Pick<ManagedGuildSummary, 'id' | 'name'>): string {
  return name.trim() === '' ? id : name;
}

export function useGuild(id: string): ManagedGuildSummary | undefined {
  return useOwnGuild(id).data;
}

/**
 * Returns the person's level of access to a guild; undefined: not known yet. The lowest level if it cannot be
 * determined.
 */
export function useLevel(id: string): GuildLevel | undefined {
  const { data, isPending } = useOwnGuild(id);
  if (isPending) return undefined;
  return levelOf(data);
}

/** Returns what the person may do in a guild. The least where it cannot be known. */
export function levelOf(guild: ManagedGuildSummary | undefined): GuildLevel {
  return WRITERS.find((level) => level === guild?.access) ?? 'viewer';
}

/**
 * Reads the level of access again after it was changed or a call was refused: of one guild, or of the displayed one.
 */
export function readLevelAgain(client: QueryClient, id?: string): void {
  void client.invalidateQueries({ queryKey: id === undefined ? [OWN] : [OWN, id] });
  // The list is read when it is opened.
  void client.invalidateQueries({ queryKey: KEY, refetchType: 'none' });
}

/** Returns if the bot is in a guild, and polls until it is; null: unknown. */
export function useBotPresent(id: string): boolean | null {
  const { data } = useQuery({
    ...ownGuildQuery(id),
    refetchInterval: ({ state }) => (state.data?.botPresent === false ? ARRIVAL_POLL_MS : false),
  });
  return data?.botPresent ?? null;
}

/** Records the bot's presence in a guild, learned elsewhere. */
export function noteBotPresence(client: QueryClient, id: string, botPresent: boolean): void {
  client.setQueryData(ownGuildQuery(id).queryKey, (guild) => guild && { ...guild, botPresent });
  client.setQueryData(guildsQuery.queryKey, (guilds) =>
    guilds?.map((guild) => (guild.id === id ? { ...guild, botPresent } : guild)),
  );
}

export function inviteUrl(application: Application, guild: string): string {
  const url = new URL(application.inviteUrl);
  url.searchParams.set('guild_id', guild);
  url.searchParams.set('disable_guild_select', 'true');
  return url.href;
}

/** Returns the guilds whose name contains the typed text, ignoring case, width and accents. An id finds its guild. */
export function matching<Guild extends { readonly id: string; readonly name: string }>(
  guilds: readonly Guild[],
  query: string,
): readonly Guild[] {
  const wanted = folded(query.trim());
  if (wanted === '') return guilds;
  return guilds.filter(({ id, name }) => folded(name).includes(wanted) || id === wanted);
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
