import {
  type ApplicationFlags,
  GatewayDispatchEvents,
  type GatewayGuildCreateDispatchData,
  type GatewayGuildDeleteDispatchData,
  GatewayIntentBits,
  type GatewayMessageCreateDispatchData,
  type GatewayReadyDispatchData,
  PermissionFlagsBits,
  type Snowflake,
} from 'discord-api-types/v10';
import {
  guildChannelObject,
  guildChannelObjects,
  guildObject,
  memberObject,
  memberWithoutUser,
  messageChannelType,
  ownUserObject,
  roleObject,
  threadObject,
  userObject,
} from '../objects/guild-objects.ts';
import { interactionObject, messageObject } from '../objects/message-objects.ts';
import type { Bot, Channel, Message } from '../world/entities.ts';
import { has } from '../world/permissions.ts';
import type { World } from '../world/world.ts';
import type { WorldChange } from '../world/world-changes.ts';
import { type Dispatch, guildIdsOf, type Session, shardOf } from './session.ts';

export function dispatchOf(world: World, session: Session, change: WorldChange): Dispatch | null {
  return concerns(world, session, change) ? describe(world, session, change) : null;
}

function concerns(world: World, session: Session, change: WorldChange): boolean {
  const { bot, intents, shard } = session.identity;
  const { guildId, kind } = change;
  if (shardOf(guildId, shard[1]) !== shard[0]) return false;
  const own = 'member' in change && change.member?.userId === bot.userId;
  if (own && (kind === 'member-updated' || kind === 'role-updated')) return true;
  const [subject] = kind.split('-') as [Subject<typeof kind>];
  const intent = INTENT_OF[subject];
  if (own || (intents & intent) !== intent) return false;
  if (kind === 'guild-lost') return change.userIds.includes(bot.userId);
  if (kind === 'guild-available' && change.userId !== null && change.userId !== bot.userId) return false;
  return world.guilds.findMember(guildId, bot.userId) !== null && !world.guilds.isUnavailable(guildId);
}

function describe(world: World, session: Session, change: WorldChange): Dispatch | null {
  const { guildId } = change;
  switch (change.kind) {
    case 'guild-available':
      return { t: GatewayDispatchEvents.GuildCreate, d: guildCreate(world, session, guildId) };
    case 'guild-lost':
      return { t: GatewayDispatchEvents.GuildDelete, d: goneGuild(guildId, change.outage) };
    case 'guild-updated':
      return { t: GatewayDispatchEvents.GuildUpdate, d: guildObject(world, guildId) };
    case 'channel-created':
    case 'channel-updated':
    case 'channel-deleted':
      return channelDispatch(world, change.kind, change.channel);
    case 'role-created':
      return { t: GatewayDispatchEvents.GuildRoleCreate, d: { guild_id: guildId, role: roleObject(change.role) } };
    case 'role-updated':
      return { t: GatewayDispatchEvents.GuildRoleUpdate, d: { guild_id: guildId, role: roleObject(change.role) } };
    case 'role-deleted':
      return { t: GatewayDispatchEvents.GuildRoleDelete, d: { guild_id: guildId, role_id: change.role.id } };
    case 'member-added':
    case 'member-updated': {
      const d = { ...memberObject(world, change.member), guild_id: guildId };
      const { GuildMemberAdd, GuildMemberUpdate } = GatewayDispatchEvents;
      return change.kind === 'member-added' ? { t: GuildMemberAdd, d } : { t: GuildMemberUpdate, d };
    }
    case 'member-removed':
      return {
        t: GatewayDispatchEvents.GuildMemberRemove,
        d: { guild_id: guildId, user: userObject(world.user(change.member.userId)) },
      };
    case 'command-permissions-updated':
      if (change.permissions.application_id !== session.identity.bot.applicationId) return null;
      return { t: GatewayDispatchEvents.ApplicationCommandPermissionsUpdate, d: change.permissions };
    case 'message-created':
    case 'message-updated':
    case 'message-deleted':
      return messageDispatch(world, session, change.kind, change.message);
    case 'interaction-answered':
      return null;
    case 'interaction-created':
      if (change.interaction.applicationId !== session.identity.bot.applicationId) return null;
      return { t: GatewayDispatchEvents.InteractionCreate, d: interactionObject(world, change.interaction) };
  }
}

/**
 * Returns the GUILD_DELETE of a guild: with `unavailable` during an outage, without after the bot has left.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#guild-delete
 */
function goneGuild(id: Snowflake, outage: boolean) {
  return { id, ...(outage && { unavailable: outage }) } satisfies GatewayGuildDeleteDispatchData;
}

function channelDispatch(
  world: World,
  kind: 'channel-created' | 'channel-updated' | 'channel-deleted',
  channel: Channel,
): Dispatch {
  if (channel.type !== 'thread') {
    const d = guildChannelObject(world, channel);
    switch (kind) {
      case 'channel-created':
        return { t: GatewayDispatchEvents.ChannelCreate, d };
      case 'channel-updated':
        return { t: GatewayDispatchEvents.ChannelUpdate, d };
      case 'channel-deleted':
        return { t: GatewayDispatchEvents.ChannelDelete, d };
    }
  }
  const thread = threadObject(world, channel);
  if (kind !== 'channel-deleted')
    return { t: GatewayDispatchEvents.ThreadCreate, d: { ...thread, newly_created: true } };
  const { id, guild_id, type, parent_id = channel.guildId } = thread;
  return { t: GatewayDispatchEvents.ThreadDelete, d: { id, guild_id, type, parent_id } };
}

function messageDispatch(
  world: World,
  { identity: { bot, intents } }: Session,
  kind: 'message-created' | 'message-updated' | 'message-deleted',
  message: Message,
): Dispatch | null {
  const { id, channelId, guildId, authorId } = message;
  const channel = world.channels.find(channelId);
  if (message.ephemeral || !channel) return null;
  if (!has(world.permissionsIn(channelId, bot.userId), PermissionFlagsBits.ViewChannel)) return null;
  if (kind === 'message-deleted') {
    return { t: GatewayDispatchEvents.MessageDelete, d: { id, channel_id: channelId, guild_id: guildId } };
  }
  const readable = mayRead(message, intents, bot) ? message : { ...message, content: '', embeds: [], components: [] };
  const memberOf = (userId: Snowflake) => {
    const member = world.guilds.findMember(guildId, userId);
    return member && { member: memberWithoutUser(member) };
  };
  const d = {
    ...messageObject(world, readable),
    guild_id: guildId,
    channel_type: messageChannelType(world, channel),
    ...memberOf(authorId),
    mentions: message.mentions.map((userId) => ({ ...userObject(world.user(userId)), ...memberOf(userId) })),
  } satisfies GatewayMessageCreateDispatchData;
  return kind === 'message-created'
    ? { t: GatewayDispatchEvents.MessageCreate, d }
    : { t: GatewayDispatchEvents.MessageUpdate, d };
}

/**
 * Returns GUILD_CREATE. Without the presences intent the bot is the only member in it.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#guild-create
 */
function guildCreate(world: World, session: Session, guildId: Snowflake) {
  const { bot, intents, largeThreshold } = session.identity;
  const members = world.guilds.members(guildId);
  const everybody = (intents & GatewayIntentBits.GuildPresences) !== 0;
  const shown = everybody ? members.slice(0, largeThreshold) : members.filter(({ userId }) => userId === bot.userId);
  const channels = world.channels.of(guildId);
  return {
    ...guildObject(world, guildId),
    joined_at: new Date(world.guilds.member(guildId, bot.userId).joinedAt).toISOString(),
    large: members.length > largeThreshold,
    unavailable: false,
    member_count: members.length,
    voice_states: [],
    members: shown.map((member) => memberObject(world, member)),
    channels: guildChannelObjects(world, guildId),
    threads: channels.filter(({ type }) => type === 'thread').map((thread) => threadObject(world, thread)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  } satisfies GatewayGuildCreateDispatchData;
}

type Subject<Kind> = Kind extends `${infer Name}-${string}` ? Name : never;

/** The intents for changes, by the first word of their kind. */
const INTENT_OF: Readonly<Record<Subject<WorldChange['kind']>, number>> = {
  guild: GatewayIntentBits.Guilds,
  channel: GatewayIntentBits.Guilds,
  role: GatewayIntentBits.Guilds,
  member: GatewayIntentBits.GuildMembers,
  message: GatewayIntentBits.GuildMessages,
  command: 0,
  interaction: 0,
};

/** @see https://discord.com/developers/docs/events/gateway#message-content-intent */
function mayRead(message: Message, intents: number, bot: Bot): boolean {
  if ((intents & GatewayIntentBits.MessageContent) !== 0) return true;
  return message.authorId === bot.userId || message.mentions.includes(bot.userId);
}

/** Undocumented fields that Discord also sends to bots, and libraries read. */
const UNDOCUMENTED = {
  private_channels: [],
  presences: [],
  relationships: [],
  guild_join_requests: [],
  user_settings: {},
};

/**
 * Sends READY, then every guild of the shard, as unavailable during an outage.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#ready
 */
export function greet(
  world: World,
  session: Session,
  { version, resumeUrl }: { readonly version: number; readonly resumeUrl: string },
): void {
  const { bot, intents, shard, isSharded } = session.identity;
  const guildIds = guildIdsOf(world, bot, shard);
  session.dispatch({
    t: GatewayDispatchEvents.Ready,
    d: {
      ...UNDOCUMENTED,
      v: version,
      user: ownUserObject(world.user(bot.userId)),
      guilds: guildIds.map((id) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: resumeUrl,
      ...(isSharded && { shard: [...shard] }),
      application: { id: bot.applicationId, flags: 0 as ApplicationFlags, flags_new: '0' },
    } satisfies GatewayReadyDispatchData,
  });
  if ((intents & GatewayIntentBits.Guilds) === 0) return;
  for (const id of guildIds) {
    session.dispatch(
      world.guilds.isUnavailable(id)
        ? { t: GatewayDispatchEvents.GuildDelete, d: goneGuild(id, true) }
        : { t: GatewayDispatchEvents.GuildCreate, d: guildCreate(world, session, id) },
    );
  }
}
