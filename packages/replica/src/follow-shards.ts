import { type TokenSource, watch } from '@guild-settings/client';
import { type GuildId, isOfShard, type WatchEvent } from '@guild-settings/contract';
import type { ShardPlan } from '../config.ts';
import type { Follow } from './replica.ts';

interface ServiceOptions {
  /** The service's base address. */
  readonly url: string;
  readonly tokens: TokenSource;
  readonly shards: ShardPlan;
}

/** How the replica follows the service, and the name of the guilds that it follows. */
export interface Following {
  readonly follow: Follow;
  readonly scope: string;
  readonly isFollowed: (guildId: GuildId) => boolean;
}

/** Follows the guilds of this process's shards and no others. */
export function followService({ url, tokens: token, shards }: ServiceOptions): Following {
  if (shards === null || shards.ids.length === shards.count) {
    return { scope: 'all', isFollowed: () => true, follow: (options) => watch({ url, token, ...options }) };
  }
  const { ids, count } = shards;
  const scope = `${ids.join(',')}/${count}`;
  const isOurs = (guildId: GuildId) => ids.some((id) => isOfShard(guildId, { id, count }));
  const [only, ...others] = ids.map((id) => ({ id, count }));
  // The service filters by one shard; a process of several takes everything and keeps its own.
  if (others.length === 0)
    return {
      scope,
      isFollowed: isOurs,
      follow: (options) => watch({ url, token, ...(only && { shard: only }), ...options }),
    };
  return {
    scope,
    isFollowed: isOurs,
    async *follow(options) {
      for await (const { cursor, event } of watch({ url, token, ...options })) {
        const ours = partOf(event, isOurs);
        if (ours !== undefined) yield { cursor, event: ours };
      }
    },
  };
}

/** What an event says of our guilds; undefined: nothing. */
function partOf(event: WatchEvent, isOurs: (guildId: GuildId) => boolean): WatchEvent | undefined {
  switch (event.type) {
    case 'guild':
      return isOurs(event.guild.id) ? event : undefined;
    case 'guilds':
      return { ...event, guilds: event.guilds.filter(({ guild }) => isOurs(guild.id)) };
    case 'removed':
      return isOurs(event.guild) ? event : undefined;
    case 'reset':
    case 'live':
    case 'bookmark':
      return event;
  }
}
