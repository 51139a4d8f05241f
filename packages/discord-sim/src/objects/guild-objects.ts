import {
  type APIApplication,
  type APIEmoji,
  type APIGuild,
  type APIGuildCategoryChannel,
  type APIGuildMember,
  type APIGuildMemberNoUser,
  type APIGuildVoiceChannel,
  type APINewsChannel,
  type APIOverwrite,
  type APIRole,
  type APITextChannel,
  type APIThreadChannel,
  type APIUser,
  type ApplicationFlags,
  type ChannelFlags,
  ChannelType,
  GuildDefaultMessageNotifications,
  GuildExplicitContentFilter,
  type GuildMemberFlags,
  GuildMFALevel,
  GuildNSFWLevel,
  GuildPremiumTier,
  type GuildSystemChannelFlags,
  GuildVerificationLevel,
  Locale,
  OverwriteType,
  type RoleFlags,
  type Snowflake,
  ThreadAutoArchiveDuration,
  type UserFlags,
} from 'discord-api-types/v10';
import type { Application, Channel, Member, Role, User } from '../world/entities.ts';
import { EVERYONE } from '../world/permissions.ts';
import type { World } from '../world/world.ts';

/**
 * Returns the guild with its roles, including one for each member with the member's permissions. Some properties are
 * only in Discord's OpenAPI document.
 *
 * @see https://discord.com/developers/docs/resources/guild#guild-object
 */
export function guildObject(world: World, guildId: Snowflake) {
  const { id, name, icon, ownerId, ...more } = world.guilds.guild(guildId);
  const { preferredLocale = Locale.EnglishUS, systemChannelId = null, publicUpdatesChannelId = null } = more;
  return {
    id,
    name,
    icon,
    splash: null,
    discovery_splash: null,
    owner_id: ownerId,
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: GuildVerificationLevel.None,
    default_message_notifications: GuildDefaultMessageNotifications.OnlyMentions,
    explicit_content_filter: GuildExplicitContentFilter.Disabled,
    roles: guildRoleObjects(world, id),
    emojis: guildEmojiObjects(world, id),
    stickers: [],
    features: [],
    mfa_level: GuildMFALevel.None,
    application_id: null,
    system_channel_id: systemChannelId,
    system_channel_flags: 0 as GuildSystemChannelFlags,
    rules_channel_id: null,
    vanity_url_code: null,
    description: null,
    banner: null,
    premium_tier: GuildPremiumTier.None,
    preferred_locale: preferredLocale as Locale,
    public_updates_channel_id: publicUpdatesChannelId,
    nsfw_level: GuildNSFWLevel.Default,
    premium_progress_bar_enabled: false,
    hub_type: null,
    safety_alerts_channel_id: null,
    incidents_data: null,
    region: 'us-central',
    widget_enabled: false,
    widget_channel_id: null,
    max_presences: null,
    max_members: 500_000,
    max_video_channel_users: 25,
    max_stage_video_channel_users: 50,
    premium_subscription_count: 0,
    home_header: null,
    nsfw: false,
  } satisfies APIGuild & { home_header: null; nsfw: boolean };
}

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

export function memberWithoutUser({ nick, roleId, roleIds, joinedAt, timedOutUntil }: Member) {
  return {
    nick,
    avatar: null,
    banner: null,
    roles: [roleId, ...roleIds],
    joined_at: new Date(joinedAt).toISOString(),
    premium_since: null,
    pending: false,
    communication_disabled_until: timedOutUntil === null ? null : new Date(timedOutUntil).toISOString(),
    deaf: false,
    mute: false,
    flags: 0 as GuildMemberFlags,
  } satisfies APIGuildMemberNoUser;
}

/** @see https://discord.com/developers/docs/resources/guild#guild-member-object */
export function memberObject(world: World, member: Member) {
  return { ...memberWithoutUser(member), user: userObject(world.user(member.userId)) } satisfies APIGuildMember;
}

/** Returns the roles of a guild. The role @everyone has no permissions, because members have their own roles. */
export function guildRoleObjects(world: World, guildId: Snowflake) {
  const plain = { color: 0, position: 0, permissions: 0n, hoist: false, mentionable: false, managed: false };
  return [{ ...plain, id: guildId, name: '@everyone' }, ...world.rolesOf(guildId)].map(roleObject);
}

/** @see https://discord.com/developers/docs/topics/permissions#role-object */
export function roleObject({ permissions, ...role }: Role) {
  return {
    ...role,
    colors: { primary_color: role.color, secondary_color: null, tertiary_color: null },
    permissions: permissions.toString(),
    icon: null,
    unicode_emoji: null,
    flags: 0 as RoleFlags,
  } satisfies APIRole;
}

/** @see https://discord.com/developers/docs/resources/emoji#emoji-object */
export function guildEmojiObjects(world: World, guildId: Snowflake) {
  return world
    .emojisOf(guildId)
    .map((emoji) => ({ ...emoji, roles: [], require_colons: true, managed: false }) satisfies APIEmoji);
}

const NO_USER_FLAGS = 0 as UserFlags;

/**
 * Returns the public user object. Accounts with unique usernames have the discriminator `"0"`.
 *
 * @see https://discord.com/developers/docs/resources/user#user-object
 */
export function userObject({ id, username, globalName, avatar, bot }: User) {
  return {
    id,
    username,
    discriminator: '0',
    global_name: globalName,
    avatar,
    avatar_decoration_data: null,
    banner: null,
    accent_color: null,
    flags: NO_USER_FLAGS,
    public_flags: NO_USER_FLAGS,
    collectibles: null,
    primary_guild: null,
    ...(bot && { bot }),
  } satisfies APIUser;
}

export function ownUserObject(user: User) {
  return {
    ...userObject(user),
    locale: 'en-US',
    mfa_enabled: false,
    premium_type: 0,
    ...(user.bot && { verified: true }),
  } satisfies APIUser;
}

/** @see https://discord.com/developers/docs/resources/application#application-object */
export function applicationObject({ id, name, icon }: Application) {
  return {
    id,
    name,
    icon,
    description: '',
    type: null,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    flags: 0 as ApplicationFlags,
    flags_new: '0',
  } satisfies Partial<APIApplication> & { type: null };
}
