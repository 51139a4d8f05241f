import { createGuildSettingsClient, type TokenSource, watch } from '@guild-settings/client';
import { type GuildId, isOfShard, LIMITS, type Shard, type WatchEvent } from '@guild-settings/contract';
import type { Acknowledge } from './acknowledger.ts';
import type { FollowOptions, ReplicaOptions } from './replica-options.ts';

export interface Shards {
  readonly ids: readonly number[];
  readonly count: number;
}

interface FollowShardsOptions {
  readonly url: string | URL;
  readonly token: string | TokenSource;
  /** `null`: all shards. */
  readonly shards: Shards | null;
  /** The name of this process for people, to which the shards are appended. */
  readonly name: string;
}

const ALL_SHARDS: Shards = { ids: [0], count: 1 };

/**
 * Returns the options for a replica to follow the guilds of some shards, and the name of that scope.
 * @throws RangeError
 */
export function followShards({
  url,
  token,
  shards,
  name,
}: FollowShardsOptions): Required<Pick<ReplicaOptions, 'follow' | 'scope' | 'isFollowed' | 'acknowledge'>> {
  const { ids, count } = shards === null ? ALL_SHARDS : uniqueShards(shards);
  const [id = 0, ...otherIds] = ids;
  const identity = { name: watcherName(name, { ids, count }), shards: ids.map((shardId) => ({ id: shardId, count })) };
  const { guilds } = createGuildSettingsClient({ url, token, retries: 0 });
  const acknowledge: Acknowledge = async ({ id, run, ...acknowledged }, { signal }) => {
    const process = { watcher: { id, name: identity.name, run }, shards: identity.shards };
    const receipt = await guilds.acknowledge.mutate({ ...process, ...acknowledged }, { signal });
    return receipt.latencyMs;
  };
  const follow = ({ watcher, ...options }: FollowOptions & { readonly shard?: Shard }) =>
    watch({ url, token, ...options, watcher: () => ({ ...identity, ...watcher() }) });
  if (ids.length === count) return { scope: 'all', isFollowed: () => true, follow, acknowledge };
  const scope = `${ids.join(',')}/${count}`;
  const isFollowed = (guildId: GuildId) => ids.some((shardId) => isOfShard(guildId, { id: shardId, count }));
  // The service filters by a single shard. A process with several receives all guilds and filters itself.
  if (otherIds.length === 0) {
    return { scope, isFollowed, acknowledge, follow: (options) => follow({ ...options, shard: { id, count } }) };
  }
  return {
    scope,
    isFollowed,
    acknowledge,
    async *follow(options) {
      for await (const { rejected = [], ...watched } of follow(options)) {
        const event = filterEvent(watched.event, isFollowed);
        const ours = rejected.filter(({ guild }) => guild === undefined || isFollowed(guild));
        if (event !== undefined) yield { ...watched, event, ...(ours.length > 0 && { rejected: ours }) };
      }
    },
  };
}

/**
 * Returns the shards without duplicates. Without the check, the service would refuse the watch, or send the guilds of
 * all shards.
 */
function uniqueShards({ ids, count }: Shards): Shards {
  const isShard = (id: number) => Number.isInteger(id) && id >= 0 && id < count;
  const unique = new Set(ids);
  if (ids.length > 0 && unique.size <= LIMITS.watcherShards && ids.every(isShard)) return { ids: [...unique], count };
  throw new RangeError(
    `Expected 1 to ${LIMITS.watcherShards} shard ids from 0 to ${count - 1} for a count of ${count}, received ${JSON.stringify(ids)}. Leave \`shards\` out for all guilds of the bot.`,
  );
}

/** Returns the part of an event about followed guilds; undefined: none. */
function filterEvent(event: WatchEvent, isFollowed: (guildId: GuildId) => boolean): WatchEvent | undefined {
  switch (event.type) {
    case 'guild':
      return isFollowed(event.guild.id) ? event : undefined;
    case 'guilds':
      return { ...event, guilds: event.guilds.filter(({ guild }) => isFollowed(guild.id)) };
    case 'removed':
      return isFollowed(event.guild) ? event : undefined;
    case 'declaration':
    case 'reset':
    case 'live':
    case 'bookmark':
      return event;
  }
}

/** Returns the name of a process with these shards of a bot, such as `bot-1, shards 0-3 of 16`. */
function watcherName(name: string, { ids, count }: { readonly ids: readonly number[]; readonly count: number }) {
  const printable = name.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').trim() || 'bot';
  const full = ids.length === count ? printable : `${printable}, ${shardList([...ids])} of ${count}`;
  return [...full].slice(0, LIMITS.watcherName).join('');
}

function shardList(ids: number[]): string {
  ids.sort((a, b) => a - b);
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined || first === last) return `shard ${first}`;
  return `shards ${last - first === ids.length - 1 ? `${first}-${last}` : ids.join(', ')}`;
}
