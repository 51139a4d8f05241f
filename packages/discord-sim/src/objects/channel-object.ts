import {
  type APIGuildCategoryChannel,
  type APIGuildVoiceChannel,
  type APINewsChannel,
  type APIOverwrite,
  type APITextChannel,
  type APIThreadChannel,
  type ChannelFlags,
  ChannelType,
  OverwriteType,
  type Snowflake,
  ThreadAutoArchiveDuration,
} from 'discord-api-types/v10';
import type { Channel } from '../world/entities.ts';
import { EVERYONE } from '../world/permissions.ts';
import type { World } from '../world/world.ts';

const NO_FLAGS = 0 as ChannelFlags;

const TYPES = {
  text: ChannelType.GuildText,
  announcement: ChannelType.GuildAnnouncement,
  voice: ChannelType.GuildVoice,
} as const;

/** @see https://discord.com/developers/docs/resources/channel#channel-object */
export function channelObject(world: World, channel: Channel) {
  return channel.type === 'thread' ? threadObject(world, channel) : guildChannelObject(world, channel);
}

export function messageChannelType(world: World, channel: Channel) {
  return channel.type === 'thread' ? threadObject(world, channel).type : writtenChannelObject(world, channel).type;
}

export function guildChannelObjects(world: World, guildId: Snowflake) {
  const channels = world.channels.of(guildId).filter(({ type }) => type !== 'thread');
  return channels.map((channel) => guildChannelObject(world, channel));
}

export function guildChannelObject(world: World, channel: Channel) {
  return channel.type === 'category' ? categoryObject(world, channel) : writtenChannelObject(world, channel);
}

function categoryObject(world: World, channel: Channel) {
  return {
    ...sortedObject(world, channel),
    type: ChannelType.GuildCategory,
    parent_id: null,
  } satisfies APIGuildCategoryChannel;
}

function writtenChannelObject(world: World, channel: Channel) {
  const written = {
    ...sortedObject(world, channel),
    parent_id: channel.parentId,
    nsfw: false,
    rate_limit_per_user: 0,
    last_message_id: null,
  };
  if (channel.type === 'voice') {
    const voice = { type: TYPES.voice, bitrate: 64_000, user_limit: 0, rtc_region: null };
    return { ...written, ...voice } satisfies APIGuildVoiceChannel;
  }
  const type = channel.type === 'announcement' ? TYPES.announcement : TYPES.text;
  return { ...written, type, topic: null } satisfies APITextChannel | APINewsChannel;
}

function sortedObject(world: World, { id, guildId, name, position, permissions }: Channel) {
  return {
    id,
    guild_id: guildId,
    name,
    position,
    flags: NO_FLAGS,
    permission_overwrites: Object.entries(permissions).map(
      ([key, { allow = 0n, deny = 0n }]) =>
        ({
          id: key === EVERYONE ? guildId : key,
          type: world.findUser(key) === null ? OverwriteType.Role : OverwriteType.Member,
          allow: allow.toString(),
          deny: deny.toString(),
        }) satisfies APIOverwrite,
    ),
  };
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
