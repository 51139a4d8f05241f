import { once } from 'node:events';
import type { GuildId, Snowflake } from '@guild-settings/contract';
import {
  type BotChannel,
  botPermissionsText,
  lackingIn,
  type Setting,
  SPECIFIED_SETTINGS,
} from '@guild-settings/contract/settings';
import type { KnownRole } from '@guild-settings/i18n';
import {
  AllowedMentionsTypes,
  type APIAllowedMentions,
  type APIMessage,
  type Channel,
  ChannelType,
  type Client,
  DiscordAPIError,
  type GuildBasedChannel,
  PermissionFlagsBits,
  RESTJSONErrorCodes,
  type RESTPostAPIChannelMessageJSONBody,
  Routes,
} from 'discord.js';
import { type NamedThings, namedThingsOf } from './named-things.ts';

/**
 * The state of a channel of a guild for the bot. `unknown`: the guild has no such channel. Channels of other guilds are
 * `unknown` as well, so that members of a guild learn nothing about them.
 */
export type ChannelState = 'writable' | 'unwritable' | 'unknown';

export interface Post {
  readonly content: string;
  /** Discord discards a second post with the same nonce within minutes. At most 25 characters. */
  readonly nonce: string;
  readonly mentions: APIAllowedMentions;
}

/** A reason why Discord rejected a post: the channel does not exist, or the bot may not write in it. */
export type PostFailure = 'gone' | 'forbidden';

export interface Channels extends NamedThings {
  /** Returns what the bot can do in a channel. Rejects when Discord cannot be reached. */
  stateOf(guildId: GuildId, channelId: Snowflake): Promise<ChannelState>;
  /** Returns what is known of a channel; undefined: the guild has no such channel. Rejects when Discord cannot be reached. */
  channel(guildId: GuildId, id: Snowflake): Promise<BotChannel | undefined>;
  /** Returns what is known of a role; undefined: the guild has no such role. */
  role(guildId: GuildId, id: Snowflake): KnownRole | undefined;
  hasChannel(guildId: GuildId, id: Snowflake): boolean;
  hasRole(guildId: GuildId, id: Snowflake): boolean;
  /** Returns which mentions of a user would notify in a channel. Rejects when Discord cannot be reached. */
  mentionsOf(channelId: Snowflake, userId: Snowflake): Promise<AllowedMentionsTypes[]>;
  /** Opens the channel of the bot and one user. Rejects when Discord does not do so, or cannot be reached. */
  direct(userId: Snowflake): Promise<Snowflake>;
  /** Posts a message. Rejects when Discord cannot be reached: the message may have been posted. */
  post(channelId: Snowflake, post: Post, signal?: AbortSignal): Promise<'posted' | PostFailure>;
  /** Posts a message that may be published. Rejects as `post` does. */
  announce(channelId: Snowflake, post: Post): Promise<Announced | PostFailure>;
  /** Publishes a message in the channels that follow its own. Rejects when Discord does not do so within seconds. */
  publish(announced: Announced): Promise<'published' | PostFailure>;
}

export interface Announced {
  readonly channelId: Snowflake;
  readonly messageId: Snowflake;
  readonly canPublish: boolean;
}

/** Time to publish a message. discord.js would wait for the end of Discord's limit, which is ten in an hour. */
const PUBLISH_TIMEOUT_MS = 5_000;

export function channelsOf(client: Client): Channels {
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
    async mentionsOf(channelId, userId) {
      const channel = await client.channels.fetch(channelId);
      const { Everyone, Role, User } = AllowedMentionsTypes;
      if (channel === null || channel.isDMBased()) return [User];
      const member = await channel.guild.members.fetch(userId);
      const theirs = channel.permissionsFor(member);
      return theirs?.has(PermissionFlagsBits.MentionEveryone) ? [Everyone, Role, User] : [User];
    },
    async direct(userId) {
      const { id } = await client.users.createDM(userId);
      return id;
    },
    async post(channelId, post, signal) {
      const sent = await send(client, channelId, post, signal);
      return typeof sent === 'string' ? sent : 'posted';
    },
    async announce(channelId, post) {
      const sent = await send(client, channelId, post);
      if (typeof sent === 'string') return sent;
      const canPublish = client.channels.cache.get(channelId)?.type === ChannelType.GuildAnnouncement;
      return { channelId, messageId: sent.id, canPublish };
    },
    async publish({ channelId, messageId }) {
      const signal = AbortSignal.timeout(PUBLISH_TIMEOUT_MS);
      const late = once(signal, 'abort').then((): never => {
        throw signal.reason;
      });
      const sent = orFailure(async () => {
        await client.rest.post(Routes.channelMessageCrosspost(channelId, messageId), { signal });
        return 'published' as const;
      });
      return Promise.race([sent, late]);
    },
  };
}

function send(client: Client, channelId: Snowflake, { content, nonce, mentions }: Post, signal?: AbortSignal) {
  const body: RESTPostAPIChannelMessageJSONBody = {
    content,
    nonce,
    enforce_nonce: true,
    allowed_mentions: mentions,
  };
  const options = { body, ...(signal && { signal }) };
  return orFailure(() => client.rest.post(Routes.channelMessages(channelId), options) as Promise<APIMessage>);
}

async function orFailure<Result>(request: () => Promise<Result>): Promise<Result | PostFailure> {
  try {
    return await request();
  } catch (error) {
    const failure = failureOf(error);
    if (failure !== undefined) return failure;
    throw error;
  }
}

/**
 * Finds a channel of a guild. Every channel that the client does not know of this guild is requested from Discord, so that the
 * reply takes as long for a channel of another guild as for one that does not exist.
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

function failureOf(error: unknown): PostFailure | undefined {
  if (!(error instanceof DiscordAPIError)) return undefined;
  switch (error.code) {
    case RESTJSONErrorCodes.UnknownChannel:
    case RESTJSONErrorCodes.UnknownGuild:
      return 'gone';
    case RESTJSONErrorCodes.MissingAccess:
    case RESTJSONErrorCodes.MissingPermissions:
      return 'forbidden';
    default:
      // Other refusals of this channel, such as a locked thread. Neither 401 nor 429 is about the channel.
      return error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 429
        ? 'forbidden'
        : undefined;
  }
}

const ANNOUNCEMENTS = SPECIFIED_SETTINGS.byField.get('announcement_channel') as Setting;

/** Returns whether the bot can write in a channel: announcements need what any message needs. */
function mayWrite(channel: GuildBasedChannel): boolean {
  return channel.isTextBased() && lackingIn(ANNOUNCEMENTS, botChannelOf(channel)).length === 0;
}

export function botChannelOf(channel: GuildBasedChannel): BotChannel {
  return { type: channel.type, botPermissions: botPermissionsText(permissionsIn(channel)) };
}

/** Returns what the bot may do in a channel. discord.js leaves out what is denied implicitly, and timeouts. */
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
