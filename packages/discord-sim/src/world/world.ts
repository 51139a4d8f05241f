import { type APIApplicationCommand, PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import type { Clock } from '../clock.ts';
import { Accounts } from './accounts.ts';
import { Bots, Commands, PRIVILEGED_INTENTS } from './bots.ts';
import { Channels } from './channels.ts';
import type { Channel, ChannelKind, Member, Membership, Overwrites } from './entities.ts';
import { Guilds } from './guilds.ts';
import { Interactions } from './interactions.ts';
import { Messages } from './messages.ts';
import type { BotInvitation, GuildChange, NewBot, NewChannel, NewGuild } from './new-entities.ts';
import { ALL_PERMISSIONS, EVERYDAY_PERMISSIONS, EVERYONE, permissionsInChannel } from './permissions.ts';
import { SnowflakeSequence, snowflake } from './snowflake.ts';
import { WorldChanges } from './world-changes.ts';

/**
 * What exists in this Discord: applications, bots, users, guilds, channels, members and tokens. Changes show in the
 * next response, and bots receive them over the gateway.
 *
 * Methods throw an `Error` for unknown ids and a `TypeError` for invalid snowflakes. No message
 * holds a token.
 */
export class World extends Accounts {
  /** @internal */
  readonly guilds = new Guilds();
  /** @internal */
  readonly channels = new Channels();
  /** @internal */
  readonly bots = new Bots();
  /** @internal */
  readonly commands = new Commands();
  /** @internal */
  readonly messages = new Messages();
  /** @internal */
  readonly interactions = new Interactions();
  /** @internal */
  readonly changes = new WorldChanges();
  /** @internal */
  readonly clock: Clock;
  /** @internal */
  readonly ids: SnowflakeSequence;

  constructor(clock: Clock) {
    super(clock);
    this.clock = clock;
    this.ids = new SnowflakeSequence(clock);
  }

  /** Adds the bot of an application with its user. */
  addBot({ applicationId, token, userId = applicationId, username, privilegedIntents = PRIVILEGED_INTENTS }: NewBot) {
    const { name } = this.application(applicationId);
    this.addUser({ id: userId, username: username ?? name, bot: true });
    this.bots.add({ applicationId, userId, token, privilegedIntents });
  }

  /** Adds a guild with its owner as first member; under a known id it replaces the guild, members, channels and all. */
  addGuild({ id, name, icon = null, ownerId }: NewGuild): void {
    this.user(ownerId);
    if (this.guilds.find(snowflake(id))) this.removeGuild(id);
    this.guilds.add({ id, name, icon, ownerId }, this.#newMember(ownerId, ALL_PERMISSIONS));
  }

  updateGuild(guildId: Snowflake, change: GuildChange): void {
    this.guilds.update(guildId, change);
    this.changes.publish({ kind: 'guild-updated', guildId });
  }

  removeGuild(guildId: Snowflake): void {
    const userIds = this.guilds.members(guildId).map(({ userId }) => userId);
    this.guilds.remove(guildId);
    for (const { id } of this.channels.of(guildId)) this.channels.remove(id);
    this.changes.publish({ kind: 'guild-lost', guildId, userIds, outage: false });
  }

  /** Begins or ends an outage of one guild: its bots receive no other events during it. */
  setUnavailable(guildId: Snowflake, unavailable: boolean): void {
    if (this.guilds.isUnavailable(guildId) === unavailable) return;
    this.guilds.setUnavailable(guildId, unavailable);
    const userIds = this.guilds.members(guildId).map(({ userId }) => userId);
    this.changes.publish(
      unavailable
        ? { kind: 'guild-lost', guildId, userIds, outage: true }
        : { kind: 'guild-available', guildId, userId: null },
    );
  }

  /** Lets a bot join a guild. A bot that is in it keeps its place. */
  addBotToGuild(guildId: Snowflake, { applicationId, permissions = EVERYDAY_PERMISSIONS }: BotInvitation = {}): void {
    const { userId } = this.bots.bot(applicationId);
    if (this.guilds.findMember(guildId, userId)) return;
    this.#join(guildId, userId, permissions);
    this.changes.publish({ kind: 'guild-available', guildId, userId });
  }

  /** Kicks a bot out of a guild. */
  removeBotFromGuild(guildId: Snowflake, applicationId?: Snowflake): void {
    const { userId } = this.bots.bot(applicationId);
    this.removeMember(guildId, userId);
    this.changes.publish({ kind: 'guild-lost', guildId, userIds: [userId], outage: false });
  }

  /** @throws {Error} when a thread names no parent of its guild, or another channel a parent that is no category */
  addChannel({ id, guildId, name, type = 'text', parentId, position = 0, permissions = {} }: NewChannel): void {
    this.guilds.guild(guildId);
    const parent = parentId === undefined ? null : this.channels.channel(parentId);
    if (!fitsParent(type, guildId, parent)) {
      throw new Error(
        'A thread has a text channel of its guild as parent; other channels have a category or no parent',
      );
    }
    const channel: Channel = {
      id: snowflake(id),
      guildId,
      name,
      type,
      parentId: parent?.id ?? null,
      position,
      permissions: type === 'thread' ? {} : withEveryone(permissions, type),
    };
    this.channels.put(channel);
    this.changes.publish({ kind: 'channel-created', guildId, channel });
  }

  /** Replaces a channel's overwrites. A thread has those of its parent. */
  setChannelPermissions(channelId: Snowflake, permissions: Overwrites): void {
    const found = this.channels.channel(channelId);
    const channel = { ...found, permissions: withEveryone(permissions, found.type) };
    if (channel.type === 'thread') throw new Error(`Thread ${channelId} has the permissions of its parent`);
    this.#putChannel(channel);
  }

  /** Deletes a channel and the threads in it. Channels of a deleted category have none afterwards. */
  removeChannel(channelId: Snowflake): void {
    for (const child of this.channels.childrenOf(channelId)) {
      if (child.type === 'thread') this.removeChannel(child.id);
      else this.#putChannel({ ...child, parentId: null });
    }
    const channel = this.channels.channel(channelId);
    this.channels.remove(channelId);
    this.changes.publish({ kind: 'channel-deleted', guildId: channel.guildId, channel });
  }

  /** Adds a member with the permissions that roles and overwrites leave them, as a bit set. */
  addMember(guildId: Snowflake, userId: Snowflake, { permissions }: { readonly permissions: bigint }): void {
    this.user(userId);
    if (this.guilds.findMember(guildId, userId)) this.setPermissions(guildId, userId, permissions);
    else this.#join(guildId, userId, permissions);
  }

  /** Replaces a member's permissions. An owner holds all of them whatever is set. */
  setPermissions(guildId: Snowflake, userId: Snowflake, permissions: bigint): void {
    const member = { ...this.guilds.member(guildId, userId), permissions };
    this.guilds.putMember(guildId, member);
    this.changes.publish({ kind: 'role-updated', guildId, member });
  }

  /** Sets a member's name in one guild, or with `null` takes it away. */
  setNickname(guildId: Snowflake, userId: Snowflake, nick: string | null): void {
    const member = { ...this.guilds.member(guildId, userId), nick };
    this.guilds.putMember(guildId, member);
    this.changes.publish({ kind: 'member-updated', guildId, member });
  }

  /** Sets the time until which a member is timed out, in milliseconds since the Unix epoch; `null` ends the timeout. */
  setTimeout(guildId: Snowflake, userId: Snowflake, until: number | null): void {
    const member = { ...this.guilds.member(guildId, userId), timedOutUntil: until };
    this.guilds.putMember(guildId, member);
    this.changes.publish({ kind: 'member-updated', guildId, member });
  }

  /** @throws {Error} when the user owns the guild */
  removeMember(guildId: Snowflake, userId: Snowflake): void {
    const member = this.guilds.findMember(guildId, userId);
    this.guilds.removeMember(guildId, userId);
    if (!member) return;
    this.changes.publish({ kind: 'member-removed', guildId, member });
    this.changes.publish({ kind: 'role-deleted', guildId, member });
  }

  /** What a user may do in a channel as of now; nothing outside their guilds. */
  permissionsIn(channelId: Snowflake, userId: Snowflake): bigint {
    const { guildId, type, parentId } = this.channels.channel(channelId);
    const member = this.guilds.findMember(guildId, userId);
    if (!member) return 0n;
    const decisive = type === 'thread' && parentId !== null ? parentId : channelId;
    return permissionsInChannel(this.guilds.guild(guildId), this.channels.channel(decisive), member, this.clock());
  }

  /** In the order they were added. */
  channelsOf(guildId: Snowflake): Channel[] {
    return this.channels.of(guildId);
  }

  /** In the order they joined, including bots. */
  membersOf(guildId: Snowflake): Member[] {
    return this.guilds.members(guildId);
  }

  /** What an application has registered for one guild, or without one for all, localisations included. */
  commandsOf(applicationId: Snowflake, guildId: Snowflake | null = null): readonly APIApplicationCommand[] {
    return this.commands.list(applicationId, guildId);
  }

  /** Returns the user's guilds, oldest first, with the user's current permissions. */
  membershipsOf(userId: Snowflake): Membership[] {
    return this.guilds.membershipsOf(userId);
  }

  #join(guildId: Snowflake, userId: Snowflake, permissions: bigint): void {
    const member = this.#newMember(userId, permissions);
    this.guilds.putMember(guildId, member);
    this.changes.publish({ kind: 'role-created', guildId, member });
    this.changes.publish({ kind: 'member-added', guildId, member });
  }

  #newMember(userId: Snowflake, permissions: bigint): Member {
    return { userId, permissions, roleId: this.ids.next(), nick: null, joinedAt: this.clock(), timedOutUntil: null };
  }

  #putChannel(channel: Channel): void {
    this.channels.put(channel);
    this.changes.publish({ kind: 'channel-updated', guildId: channel.guildId, channel });
  }
}

function withEveryone(permissions: Overwrites, type: ChannelKind): Overwrites {
  const connect = type === 'voice' ? PermissionFlagsBits.Connect : 0n;
  return { [EVERYONE]: { allow: EVERYDAY_PERMISSIONS | connect }, ...permissions };
}

function fitsParent(type: ChannelKind, guildId: Snowflake, parent: Channel | null): boolean {
  if (parent === null) return type !== 'thread';
  if (parent.guildId !== guildId) return false;
  return type === 'thread'
    ? ['text', 'announcement'].includes(parent.type)
    : type !== 'category' && parent.type === 'category';
}
