import type { GuildChannel } from '@guild-settings/contract';
import { LIMITS } from '@guild-settings/contract/constants';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sendQuery } from '../service/service.ts';
import { channelIdIn } from './names.ts';

/**
 * Ids by guild that are not among its channels: threads have to be listed explicitly. At most as many as one call may
 * have.
 */
const wanted = new Map<string, readonly string[]>();
let soon: ReturnType<typeof setTimeout> | undefined;

/**
 * Returns the query of the channels of a guild that are visible to the person. It fails if the service has no bot
 * token.
 */
function channelsQuery(guild: string) {
  return queryOptions({
    queryKey: ['channels', guild] as const,
    queryFn: async ({ signal }) => {
      const threads = wanted.get(guild);
      const input = threads === undefined ? { guild } : { guild, threads: [...threads] };
      return (await sendQuery('guilds.channels', input, { signal })).data;
    },
    staleTime: 30_000,
    retry: false,
  });
}

interface KnownChannels {
  /** Undefined: not read yet, or not readable. */
  readonly channels: readonly GuildChannel[] | undefined;
  readonly error: Error | null;
  /** True: one of the ids may still be found as a thread. */
  readonly isSearching: boolean;
}

/**
 * Returns the channels of a guild that are visible to the person.
 * @param ids values to be named: threads among them are listed as well
 */
export function useChannels(
  guild: string,
  ids: readonly string[],
  options: { readonly [name in 'enabled' | 'retryOnMount' | 'refetchOnMount' | 'refetchOnWindowFocus']?: boolean } = {},
): KnownChannels {
  const client = useQueryClient();
  const { data: channels, error, isFetching } = useQuery({ ...channelsQuery(guild), ...options });
  const unknown = channels === undefined ? [] : ids.filter((id) => isUnknown(id, channels));
  const key = unknown.join();
  useEffect(() => {
    if (key !== '') want(client, guild, key.split(','));
  }, [client, guild, key]);
  const isSearching = unknown.length > 0 && (isFetching || freshAmong(guild, unknown).length > 0);
  return { channels, error, isSearching };
}

function isUnknown(id: string, channels: readonly GuildChannel[]): boolean {
  return channelIdIn(id) === id && !channels.some((channel) => channel.id === id);
}

function freshAmong(guild: string, ids: readonly string[]): string[] {
  const known = wanted.get(guild) ?? [];
  return ids.filter((id) => !known.includes(id)).slice(0, LIMITS.threads - known.length);
}

function want(client: QueryClient, guild: string, ids: readonly string[]): void {
  const fresh = freshAmong(guild, ids);
  if (fresh.length === 0) return;
  wanted.set(guild, [...(wanted.get(guild) ?? []), ...fresh]);
  // Names that are rendered together share a call.
  clearTimeout(soon);
  soon = setTimeout(() => client.invalidateQueries({ queryKey: ['channels'] }));
}
