import type { GuildId, Snowflake } from '@guild-settings/contract';
import {
  AllowedMentionsTypes,
  type APIAllowedMentions,
  type Channel,
  type Client,
  DiscordAPIError,
  type GuildBasedChannel,
  type GuildTextBasedChannel,
  PermissionFlagsBits,
  RESTJSONErrorCodes,
  type RESTPostAPIChannelMessageJSONBody,
  Routes,
} from 'discord.js';

/**
 * What a guild's bot can do with a channel. `unknown`: the guild has no such channel. Whether another guild has it is not
 * told apart: the members of a guild have no business with the channels of others.
 */
export type ChannelState = 'writable' | 'unwritable' | 'unknown';

/** What is posted. */
export interface Post {
  readonly content: string;
  /** Two posts of one nonce within minutes are one. At most 25 characters. */
  readonly nonce: string;
  /** Who may be notified by what the content says. */
  readonly mentions: APIAllowedMentions;
}

/** Why nothing was posted: the channel is not there, or the bot may not write in it. */
export type PostRefusal = 'gone' | 'forbidden';

/** The channels of the bot's guilds. */
export interface Channels {
  /** Looks at a channel as the guild's bot. Rejects when Discord cannot be asked. */
  stateOf(guildId: GuildId, channelId: Snowflake): Promise<ChannelState>;
  /** Whom a person could notify by writing in a channel. Rejects when Discord cannot be asked. */
  mentionsOf(channelId: Snowflake, userId: Snowflake): Promise<AllowedMentionsTypes[]>;
  /** Posts. Rejects when Discord cannot be asked, which leaves open whether it was posted. */
  post(channelId: Snowflake, post: Post, signal?: AbortSignal): Promise<'posted' | PostRefusal>;
}

/** The channels that a client sees. */
export function channelsOf(client: Client): Channels {
  return {
    async stateOf(guildId, channelId) {
      const channel = await findInGuild(client, guildId, channelId);
      if (channel === undefined) return 'unknown';
      return channel.isTextBased() && mayWrite(channel) ? 'writable' : 'unwritable';
    },
    async mentionsOf(channelId, userId) {
      const channel = await client.channels.fetch(channelId);
      const { Everyone, Role, User } = AllowedMentionsTypes;
      if (channel === null || channel.isDMBased()) return [User];
      const member = await channel.guild.members.fetch(userId);
      const theirs = channel.permissionsFor(member);
      return theirs?.has(PermissionFlagsBits.MentionEveryone) ? [Everyone, Role, User] : [User];
    },
    async post(channelId, { content, nonce, mentions }, signal) {
      const body: RESTPostAPIChannelMessageJSONBody = {
        content,
        nonce,
        enforce_nonce: true,
        allowed_mentions: mentions,
      };
      try {
        await client.rest.post(Routes.channelMessages(channelId), { body, ...(signal && { signal }) });
        return 'posted';
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal !== undefined) return refusal;
        throw error;
      }
    },
  };
}

/**
 * A channel of a guild. Every channel but those that the client knows of this guild is looked up at Discord, so that an
 * answer takes as long for a channel of another guild as for one that does not exist.
 */
async function findInGuild(
  client: Client,
  guildId: GuildId,
  channelId: Snowflake,
): Promise<GuildBasedChannel | undefined> {
  const known = client.channels.cache.get(channelId);
  if (isOf(guildId, known)) return known;
  try {
    // A thread of the guild need not be known.
    const found = await client.channels.fetch(channelId, { force: true, cache: false });
    return isOf(guildId, found) ? found : undefined;
  } catch (error) {
    if (refusalOf(error) === undefined) throw error;
    return undefined;
  }
}

function isOf(guildId: GuildId, channel: Channel | null | undefined): channel is GuildBasedChannel {
  return channel != null && !channel.isDMBased() && channel.guildId === guildId;
}

/** What Discord says by an error: that something is not there, or that the bot may not. */
function refusalOf(error: unknown): PostRefusal | undefined {
  if (!(error instanceof DiscordAPIError)) return undefined;
  switch (error.code) {
    case RESTJSONErrorCodes.UnknownChannel:
    case RESTJSONErrorCodes.UnknownGuild:
      return 'gone';
    case RESTJSONErrorCodes.MissingAccess:
    case RESTJSONErrorCodes.MissingPermissions:
      return 'forbidden';
    default:
      // Whatever else it refuses in this channel, such as a locked thread; but not a token, and not the pace.
      return error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 429
        ? 'forbidden'
        : undefined;
  }
}

function mayWrite(channel: GuildTextBasedChannel): boolean {
  const me = channel.guild.members.me;
  const mine = me && channel.permissionsFor(me);
  const { ViewChannel, SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
  return mine?.has([ViewChannel, channel.isThread() ? SendMessagesInThreads : SendMessages]) ?? false;
}

/** Returns the id of a channel from its mention or from the id itself; `undefined` for any other text. */
export function channelIdOf(text: string): Snowflake | undefined {
  return /^(?:<#(?<mentioned>\d{17,20})>|(?<id>\d{17,20}))$/.exec(text.trim())?.slice(1).find(Boolean);
}
