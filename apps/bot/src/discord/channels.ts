import { once } from 'node:events';
import type { Snowflake } from '@guild-settings/contract';
import {
  type ChannelsOfGuilds,
  channelsOfGuilds,
  failureOf,
  type PostFailure,
} from '@guild-settings/discord/framework';
import {
  AllowedMentionsTypes,
  type APIAllowedMentions,
  type APIMessage,
  ChannelType,
  type Client,
  PermissionFlagsBits,
  type RESTPostAPIChannelMessageJSONBody,
  Routes,
} from 'discord.js';

export interface Post {
  readonly content: string;
  /** Discord discards a second post with the same nonce within minutes. At most 25 characters. */
  readonly nonce: string;
  readonly mentions: APIAllowedMentions;
}

export interface Channels extends ChannelsOfGuilds {
  /** Returns the mentions of a user's text that would notify in a channel. Rejects when Discord cannot be reached. */
  mentionsOf(channelId: Snowflake, userId: Snowflake): Promise<AllowedMentionsTypes[]>;
  /** Opens the channel of the bot and one user. Rejects when Discord refuses, or cannot be reached. */
  direct(userId: Snowflake): Promise<Snowflake>;
  /** Posts a message. Rejects when Discord cannot be reached: the message may have been posted. */
  post(channelId: Snowflake, post: Post, signal?: AbortSignal): Promise<'posted' | PostFailure>;
  /** Posts a message that may be published. Rejects as `post` does. */
  announce(channelId: Snowflake, post: Post): Promise<Announced | PostFailure>;
  /** Publishes a message in the channels that follow its own. Rejects when Discord does not respond within seconds. */
  publish(announced: Announced): Promise<'published' | PostFailure>;
}

export interface Announced {
  readonly channelId: Snowflake;
  readonly messageId: Snowflake;
  readonly canPublish: boolean;
}

/** Time limit for publishing a message. discord.js would wait for Discord's limit of ten per hour. */
const PUBLISH_TIMEOUT_MS = 5_000;

export function channelsOf(client: Client): Channels {
  return {
    ...channelsOfGuilds(client),
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
