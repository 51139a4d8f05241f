import {
  type APIApplicationCommand,
  type APIApplicationCommandPermission,
  PermissionFlagsBits,
  type Snowflake,
} from 'discord-api-types/v10';
import { Bots, Commands, MAX_OVERWRITES, PRIVILEGED_INTENTS } from './bots.ts';
import type {
  BotInvitation,
  Channel,
  ChannelKind,
  CommandTarget,
  GuildChange,
  NewBot,
  NewChannel,
  NewGuild,
  Overwrites,
} from './entities.ts';
import { Members } from './guilds.ts';
import { DirectMessages, Interactions, Messages } from './messages.ts';
import { ALL_PERMISSIONS, EVERYDAY_PERMISSIONS, EVERYONE, permissionsInChannel } from './permissions.ts';
import { snowflake } from './snowflake.ts';

class Channels {
  readonly #channels = new Map<Snowflake, Channel>();

  put(channel: Channel): void {
    this.#channels.set(channel.id, channel);
  }

  find(id: Snowflake): Channel | null {
    return this.#channels.get(id) ?? null;
  }

  /** @throws {Error} for an unknown channel */
  channel(id: Snowflake): Channel {
    const channel = this.find(id);
    if (!channel) throw new Error(`Unknown channel ${id}`);
    return channel;
  }

  of(guildId: Snowflake): Channel[] {
    return [...this.#channels.values()].filter((channel) => channel.guildId === guildId);
  }

  childrenOf(parentId: Snowflake): Channel[] {
    return [...this.#channels.values()].filter((channel) => channel.parentId === parentId);
  }

  remove(id: Snowflake): void {
    this.#channels.delete(id);
  }
}

/**
 * The content of this Discord: applications, bots, users, guilds, channels, members and tokens. Changes appear in the
 * next response, and bots receive them over the gateway.
 *
 * Methods throw an `Error` for unknown ids and a `TypeError` for invalid snowflakes. Messages do not contain tokens.
 */
export class World extends Members {
  /** @internal */
  readonly channels = new Channels();
  /** @internal */
  readonly bots = new Bots();
  /** @internal */
  readonly commands = new Commands();
  /** @internal */
  readonly messages = new Messages();
  readonly direct = new DirectMessages();
  /** @internal */
  readonly interactions = new Interactions();
  addBot({ applicationId, token, userId = applicationId, username, privilegedIntents = PRIVILEGED_INTENTS }: NewBot) {
    const { name } = this.application(applicationId);
    this.addUser({ id: userId, username: username ?? name, bot: true });
    this.bots.add({ applicationId, userId, token, privilegedIntents });
  }

  /** Adds a guild with its owner as first member; under a known id it replaces the guild with all of its content. */
  addGuild({ icon = null, ...guild }: NewGuild): void {
    const { id, ownerId } = guild;
    this.user(ownerId);
    if (this.guilds.find(snowflake(id))) this.removeGuild(id);
    this.guilds.add({ ...guild, icon }, this.newMember(ownerId, ALL_PERMISSIONS));
  }

  updateGuild(guildId: Snowflake, change: GuildChange): void {
    this.guilds.update(guildId, change);
    this.changes.publish({ kind: 'guild-updated', guildId });
  }

  removeGuild(guildId: Snowflake): void {
    const userIds = this.guilds.members(guildId).map(({ userId }) => userId);
    this.guilds.remove(guildId);
    for (const { id } of this.channels.of(guildId)) this.channels.remove(id);
    this.commands.permissions.removeGuild(guildId);
    this.changes.publish({ kind: 'guild-lost', guildId, userIds, outage: false });
  }

  /** Begins or ends an outage of a guild, during which its bots receive no other events. */
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

  /** Lets a bot join a guild. A bot that is already in it stays unchanged. */
  addBotToGuild(guildId: Snowflake, { applicationId, permissions = EVERYDAY_PERMISSIONS }: BotInvitation = {}): void {
    const { userId } = this.bots.bot(applicationId);
    if (this.guilds.findMember(guildId, userId)) return;
    this.join(guildId, userId, permissions);
    this.changes.publish({ kind: 'guild-available', guildId, userId });
  }

  removeBotFromGuild(guildId: Snowflake, applicationId?: Snowflake): void {
    const { userId } = this.bots.bot(applicationId);
    this.removeMember(guildId, userId);
    this.changes.publish({ kind: 'guild-lost', guildId, userIds: [userId], outage: false });
  }

  /** @throws {Error} for a thread without a parent in its guild, or another channel whose parent is not a category */
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

  /** Deletes a channel and its threads. Channels of a deleted category stay without one. */
  removeChannel(channelId: Snowflake): void {
    for (const child of this.channels.childrenOf(channelId)) {
      if (child.type === 'thread') this.removeChannel(child.id);
      else this.#putChannel({ ...child, parentId: null });
    }
    const channel = this.channels.channel(channelId);
    this.channels.remove(channelId);
    this.changes.publish({ kind: 'channel-deleted', guildId: channel.guildId, channel });
  }

  /** Returns the current permissions of a user in a channel; none outside their guilds. */
  permissionsIn(channelId: Snowflake, userId: Snowflake): bigint {
    const { guildId, type, parentId } = this.channels.channel(channelId);
    const member = this.guilds.findMember(guildId, userId);
    if (!member) return 0n;
    const decisive = type === 'thread' && parentId !== null ? parentId : channelId;
    return permissionsInChannel(
      this.guilds.permissionsOf(guildId, member),
      this.channels.channel(decisive),
      member,
      this.clock(),
    );
  }

  /** In the order of addition. */
  channelsOf(guildId: Snowflake): Channel[] {
    return this.channels.of(guildId);
  }

  /**
   * Returns the commands that an application has registered for a guild, or for all guilds if none is given, including
   * localisations.
   */
  commandsOf(applicationId: Snowflake, guildId: Snowflake | null = null): readonly APIApplicationCommand[] {
    return this.commands.list(applicationId, guildId);
  }

  /**
   * Sets the overwrites of a command, like administrators in Server Settings > Integrations; an empty list resets it.
   * The id of the guild stands for all members, and that id minus one for all channels.
   *
   * @throws {Error} for an unknown command, or for more than 100 overwrites
   */
  setCommandPermissions(
    guildId: Snowflake,
    { command: name, applicationId: given }: CommandTarget,
    permissions: readonly APIApplicationCommandPermission[],
  ): void {
    const { applicationId } = this.bots.bot(given);
    const command = name === undefined ? null : this.commands.find(applicationId, guildId, name);
    if (name !== undefined && !command) throw new Error(`Application ${applicationId} has no command ${name}`);
    this.putCommandPermissions(guildId, { applicationId, id: command?.id ?? applicationId }, permissions);
  }

  /** @internal */
  putCommandPermissions(
    guildId: Snowflake,
    { applicationId, id }: { readonly applicationId: Snowflake; readonly id: Snowflake },
    permissions: readonly APIApplicationCommandPermission[],
  ) {
    this.guilds.guild(guildId);
    if (permissions.length > MAX_OVERWRITES) throw new Error(`A command has at most ${MAX_OVERWRITES} overwrites`);
    const set = { id, application_id: applicationId, guild_id: guildId, permissions: [...permissions] };
    this.commands.permissions.put(set);
    this.changes.publish({ kind: 'command-permissions-updated', guildId, permissions: set });
    return set;
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
