import type { GuildId, Snowflake } from '@guild-settings/contract';
import type { Mentioned } from '@guild-settings/contract/settings';
import {
  ChannelType,
  type Client,
  DiscordAPIError,
  type Guild,
  type GuildBasedChannel,
  type GuildEmoji,
  type GuildMember,
  PermissionFlagsBits,
  type Role,
} from 'discord.js';

/** A thing of a guild with the names that people type for it. */
export interface NamedThing {
  /** The value of a setting: the id, or the text of an emoji. */
  readonly value: string;
  /** The first one is displayed: `#general`. The others include it without the `#`. */
  readonly names: readonly string[];
  readonly mention: string;
  /** Discord's type number of a channel. */
  readonly type?: number;
}

export interface NamedThings {
  /**
   * Returns a guild's things of a kind that are visible to a user and in memory, which are all except members.
   * @param id the only one to return
   */
  known(kind: Mentioned, guildId: GuildId, userId: Snowflake, id?: Snowflake): readonly NamedThing[];
  /** Finds members by the start of a name. Rejects when Discord cannot be reached. */
  membersNamed(guildId: GuildId, name: string): Promise<readonly NamedThing[]>;
  /** Returns whether a user is a member. Rejects when Discord cannot be reached. */
  hasMember(guildId: GuildId, id: Snowflake): Promise<boolean>;
}

/** Maximum members that a search returns. */
const MAX_FOUND = 25;

/** Discord's limit for a name in a search. */
const MAX_QUERY = 100;

export function namedThingsOf({ guilds }: Client): NamedThings {
  return {
    known(kind, guildId, userId, id) {
      const guild = guilds.cache.get(guildId);
      return guild === undefined ? [] : knownIn(guild, kind, userId, id);
    },
    async membersNamed(guildId, name) {
      const guild = guilds.cache.get(guildId);
      const found = await guild?.members.search({ query: name.slice(0, MAX_QUERY), limit: MAX_FOUND });
      return [...(found?.values() ?? [])].map(namedMember);
    },
    async hasMember(guildId, id) {
      try {
        return (await guilds.cache.get(guildId)?.members.fetch(id)) !== undefined;
      } catch (error) {
        if (error instanceof DiscordAPIError && error.status >= 400 && error.status < 500) return false;
        throw error;
      }
    },
  };
}

function knownIn(guild: Guild, kind: Mentioned, userId: Snowflake, id: Snowflake | undefined): readonly NamedThing[] {
  const wanted = <T>(cache: ReadonlyMap<string, T>) => {
    if (id === undefined) return [...cache.values()];
    const one = cache.get(id);
    return one === undefined ? [] : [one];
  };
  switch (kind) {
    case 'channel':
      return wanted(guild.channels.cache)
        .filter((channel) => isSeen(channel, userId))
        .map(namedChannel);
    case 'role':
      return wanted(guild.roles.cache).map(namedRole);
    case 'user':
      return wanted(guild.members.cache).map(namedMember);
    case 'emoji':
      return wanted(guild.emojis.cache).map(namedEmoji);
  }
}

/** Returns true if a user can see a channel; a private thread, if they are in it or manage threads. */
function isSeen(channel: GuildBasedChannel, userId: Snowflake): boolean {
  const theirs = channel.permissionsFor(userId);
  if (!theirs?.has(PermissionFlagsBits.ViewChannel)) return false;
  const isOpen = channel.type !== ChannelType.PrivateThread || theirs.has(PermissionFlagsBits.ManageThreads);
  return isOpen || channel.members.cache.has(userId);
}

function namedChannel({ id, name, type }: GuildBasedChannel): NamedThing {
  return { value: id, names: withMark('#', [name]), mention: `<#${id}>`, type };
}

function namedRole({ id, name }: Role): NamedThing {
  return { value: id, names: withMark('@', [name]), mention: `<@&${id}>` };
}

function namedMember({ id, nickname, user }: GuildMember): NamedThing {
  const names = [nickname, user.globalName, user.username].filter((name) => name !== null);
  return { value: id, names: withMark('@', names), mention: `<@${id}>` };
}

function namedEmoji(emoji: GuildEmoji): NamedThing {
  const value = emoji.toString();
  return { value, names: [`:${emoji.name}:`, emoji.name], mention: value };
}

function withMark(mark: '#' | '@', names: readonly string[]): string[] {
  return names.map((name) => (name.startsWith(mark) ? name.slice(1) : name)).flatMap((name) => [mark + name, name]);
}
