import type { GuildId, Snowflake } from '@guild-settings/contract';
import {
  type BotChannel,
  botPermissionsText,
  lackingIn,
  type Setting,
  SPECIFIED_SETTINGS,
} from '@guild-settings/contract/settings';
import type { KnownRole } from '@guild-settings/i18n';
import { type Channel, type Client, type GuildBasedChannel, PermissionFlagsBits } from 'discord.js';
import { failureOf } from './failures.ts';
import { type NamedThings, namedThingsOf } from './named-things.ts';

/**
 * The state of a channel of a guild for the bot. `unknown`: the channel is not in the guild. Channels of other guilds
 * are also `unknown`, so that members of a guild learn nothing about them.
 */
export type ChannelState = 'writable' | 'unwritable' | 'unknown';

/** The channels and roles of a bot's guilds, and the names that members use for them. */
export interface ChannelsOfGuilds extends NamedThings {
  /** Returns the bot's access to a channel. Rejects when Discord cannot be reached. */
  stateOf(guildId: GuildId, channelId: Snowflake): Promise<ChannelState>;
  /** Returns the known properties of a channel; undefined: not in the guild. Rejects when Discord cannot be reached. */
  channel(guildId: GuildId, id: Snowflake): Promise<BotChannel | undefined>;
  /** Returns the known properties of a role; undefined: not in the guild. */
  role(guildId: GuildId, id: Snowflake): KnownRole | undefined;
  hasChannel(guildId: GuildId, id: Snowflake): boolean;
  hasRole(guildId: GuildId, id: Snowflake): boolean;
}

export function channelsOfGuilds(client: Client): ChannelsOfGuilds {
  return {
    async stateOf(guildId, channelId) {
      const channel = await findInGuild(client, guildId, channelId);
      if (channel === undefined) return 'unknown';
      return mayWrite(channel) ? 'writable' : 'unwritable';
    },
    async channel(guildId, id) {
      const channel = await findInGuild(client, guildId, id);
      return channel && botChannelOf(channel);
    },
    role(guildId, id) {
      const role = client.guilds.cache.get(guildId)?.roles.cache.get(id);
      return role && { managed: role.managed, assignable: role.editable };
    },
    hasChannel: (guildId, id) => isOf(guildId, client.channels.cache.get(id)),
    hasRole: (guildId, id) => client.guilds.cache.get(guildId)?.roles.cache.has(id) ?? false,
    ...namedThingsOf(client),
  };
}

/**
 * Finds a channel of a guild. Every channel that is not cached for this guild is requested from Discord, so that the
 * response time is the same for a channel of another guild as for one that does not exist.
 */
async function findInGuild(
  client: Client,
  guildId: GuildId,
  channelId: Snowflake,
): Promise<GuildBasedChannel | undefined> {
  const known = client.channels.cache.get(channelId);
  if (isOf(guildId, known)) return known;
  try {
    // The cache does not have all threads of a guild.
    const found = await client.channels.fetch(channelId, { force: true, cache: false });
    return isOf(guildId, found) ? found : undefined;
  } catch (error) {
    if (failureOf(error) === undefined) throw error;
    return undefined;
  }
}

function isOf(guildId: GuildId, channel: Channel | null | undefined): channel is GuildBasedChannel {
  return channel != null && !channel.isDMBased() && channel.guildId === guildId;
}

const ANNOUNCEMENTS = SPECIFIED_SETTINGS.byField.get('announcement_channel') as Setting;

/** Returns true if the bot can write in a channel: announcements need the same permissions as messages. */
function mayWrite(channel: GuildBasedChannel): boolean {
  return channel.isTextBased() && lackingIn(ANNOUNCEMENTS, botChannelOf(channel)).length === 0;
}

export function botChannelOf(channel: GuildBasedChannel): BotChannel {
  return { type: channel.type, botPermissions: botPermissionsText(permissionsIn(channel)) };
}

/** Returns the bot's permissions in a channel. discord.js omits implicit denials and timeouts. */
function permissionsIn(channel: GuildBasedChannel): bigint {
  const { me } = channel.guild.members;
  const mine = me && channel.permissionsFor(me);
  const { Administrator, ReadMessageHistory, ViewChannel } = PermissionFlagsBits;
  if (!mine?.has(ViewChannel)) return 0n;
  const isTimedOut = me?.isCommunicationDisabled() && !mine.has(Administrator);
  return isTimedOut ? mine.bitfield & (ViewChannel | ReadMessageHistory) : mine.bitfield;
}

export function channelIdOf(text: string): Snowflake | undefined {
  return /^(?:<#(?<mentioned>\d{17,20})>|(?<id>\d{17,20}))$/.exec(text.trim())?.slice(1).find(Boolean);
}
