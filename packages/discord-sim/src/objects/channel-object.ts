import {
  type APINewsChannel,
  type APIOverwrite,
  type APITextChannel,
  type APIThreadChannel,
  type ChannelFlags,
  ChannelType,
  OverwriteType,
  ThreadAutoArchiveDuration,
} from 'discord-api-types/v10';
import type { Channel } from '../world/entities.ts';
import { EVERYONE } from '../world/permissions.ts';
import type { World } from '../world/world.ts';

const NO_FLAGS = 0 as ChannelFlags;

/** @see https://discord.com/developers/docs/resources/channel#channel-object */
export function channelObject(world: World, channel: Channel): APITextChannel | APINewsChannel | APIThreadChannel {
  return channel.type === 'thread' ? threadObject(world, channel) : textChannelObject(channel);
}

/** Returns a text or announcement channel. */
export function textChannelObject({ id, guildId, name, type, permissions }: Channel) {
  return {
    id,
    guild_id: guildId,
    name,
    type: type === 'announcement' ? ChannelType.GuildAnnouncement : ChannelType.GuildText,
    position: 0,
    parent_id: null,
    topic: null,
    nsfw: false,
    rate_limit_per_user: 0,
    last_message_id: null,
    flags: NO_FLAGS,
    permission_overwrites: Object.entries(permissions).map(
      ([key, { allow = 0n, deny = 0n }]) =>
        ({
          id: key === EVERYONE ? guildId : key,
          type: key === EVERYONE ? OverwriteType.Role : OverwriteType.Member,
          allow: allow.toString(),
          deny: deny.toString(),
        }) satisfies APIOverwrite,
    ),
  } satisfies APITextChannel | APINewsChannel;
}

/** Returns an open public thread. Its owner is the guild's. */
export function threadObject(world: World, { id, guildId, name, parentId }: Channel) {
  const parent = parentId === null ? null : world.channels.find(parentId);
  return {
    id,
    guild_id: guildId,
    name,
    type: parent?.type === 'announcement' ? ChannelType.AnnouncementThread : ChannelType.PublicThread,
    ...(parentId !== null && { parent_id: parentId }),
    owner_id: world.guilds.guild(guildId).ownerId,
    last_message_id: null,
    flags: NO_FLAGS,
    rate_limit_per_user: 0,
    message_count: 0,
    member_count: 1,
    total_message_sent: 0,
    applied_tags: [],
    thread_metadata: {
      archived: false,
      auto_archive_duration: ThreadAutoArchiveDuration.OneWeek,
      archive_timestamp: new Date(0).toISOString(),
      locked: false,
    },
  } satisfies APIThreadChannel;
}
