import type { Application, ManagedGuildSummary } from '@guild-settings/contract';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { queryPlainly } from '../service/query-plainly.ts';

/** How often the page looks whether the bot has joined. Discord is not asked: the bot reports it. */
const ARRIVAL_POLL_MS = 3_000;

const KEY = ['guilds'] as const;

/** The guilds that the person manages. */
export const guildsQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => queryPlainly<readonly ManagedGuildSummary[]>('users.guilds', { signal }),
});

/** The guilds that the person manages, asked of Discord anew: what has changed there a moment ago is in it. */
export const freshGuildsQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => queryPlainly<readonly ManagedGuildSummary[]>('users.guilds', { signal, isFresh: true }),
  staleTime: 0,
});

/** The application of the bot, which does not change. */
export const applicationQuery = queryOptions({
  queryKey: ['application'],
  queryFn: ({ signal }) => queryPlainly<Application>('application.get', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns a guild of the list; undefined: not loaded yet, or not in it. */
export function useGuild(id: string): ManagedGuildSummary | undefined {
  return useQuery({ ...guildsQuery, select: (guilds) => guilds.find((guild) => guild.id === id) }).data;
}

/** Returns whether the bot is in a guild, and looks again until it is; null: unknown. */
export function useBotPresent(id: string): boolean | null {
  const { data } = useQuery({
    ...guildsQuery,
    select: (guilds) => guilds.find((guild) => guild.id === id)?.botPresent ?? null,
    refetchInterval: ({ state }) =>
      state.data?.find((guild) => guild.id === id)?.botPresent === false ? ARRIVAL_POLL_MS : false,
  });
  return data ?? null;
}

/** Notes what was learnt elsewhere: whether the bot is in a guild. */
export function noteBotPresence(client: QueryClient, id: string, botPresent: boolean): void {
  client.setQueryData(guildsQuery.queryKey, (guilds) =>
    guilds?.map((guild) => (guild.id === id ? { ...guild, botPresent } : guild)),
  );
}

/** Returns the page of Discord on which the bot is invited to a guild. */
export function inviteUrl(application: Application, guild: string): string {
  const url = new URL(application.inviteUrl);
  url.searchParams.set('guild_id', guild);
  url.searchParams.set('disable_guild_select', 'true');
  return url.href;
}
