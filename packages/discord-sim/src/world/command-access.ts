import {
  type APIApplicationCommand,
  type APIApplicationCommandPermission,
  APIApplicationCommandPermissionsConstant,
  ApplicationCommandPermissionType,
  PermissionFlagsBits,
  type Snowflake,
} from 'discord-api-types/v10';
import type { Member } from './entities.ts';
import { has } from './permissions.ts';
import type { World } from './world.ts';

const { Channel, Role, User } = ApplicationCommandPermissionType;
const { AllChannels, Everyone } = APIApplicationCommandPermissionsConstant;

type Level = readonly APIApplicationCommandPermission[];

type CommandRules = Pick<APIApplicationCommand, 'id' | 'application_id' | 'default_member_permissions'>;

/**
 * Returns true if Discord shows a command to a member in a channel and lets them use it. Administrators may use all
 * commands. A channel can only forbid.
 *
 * @throws {Error} when the user is not in the guild of the channel
 * @see https://docs.discord.com/developers/interactions/application-commands#permissions
 */
export function mayUseCommand(world: World, command: CommandRules, channelId: Snowflake, userId: Snowflake): boolean {
  const { id, type, parentId, guildId } = world.channels.channel(channelId);
  const member = world.guilds.member(guildId, userId);
  if (isAdministrator(world.guilds.permissionsOf(guildId, member))) return true;
  // A thread has the permissions of its parent.
  const place = type === 'thread' && parentId !== null ? parentId : id;
  const inChannel = first(levelsOf(world, command, guildId), (level) => {
    return overwriteFor(level, Channel, place) ?? overwriteFor(level, Channel, AllChannels(guildId));
  });
  return inChannel !== false && isCommandFor(world, command, guildId, member);
}

/**
 * Returns true if a member may use a command, regardless of the channel. An overwrite for the command takes precedence
 * over one for the application; one for the member over one for a role, and that over one for all members. Without an
 * overwrite, and if all members are allowed, `default_member_permissions` decide.
 *
 * @see https://support.discord.com/hc/en-us/articles/10952896421783-Updates-to-Command-Permissions
 */
export function isCommandFor(world: World, command: CommandRules, guildId: Snowflake, member: Member): boolean {
  const permissions = world.guilds.permissionsOf(guildId, member);
  if (isAdministrator(permissions)) return true;
  const { default_member_permissions: needed } = command;
  // The default "0" is for administrators only.
  const isDefault = needed !== '0' && has(permissions, BigInt(needed ?? 0));
  return (
    first(levelsOf(world, command, guildId), (level) => forMember(level, { guildId, member, isDefault })) ?? isDefault
  );
}

function isAdministrator(permissions: bigint): boolean {
  return has(permissions, PermissionFlagsBits.Administrator);
}

function levelsOf(world: World, { id, application_id: applicationId }: CommandRules, guildId: Snowflake): Level[] {
  return [id, applicationId].map((setFor) => world.commands.permissions.find(guildId, setFor)?.permissions ?? []);
}

interface Asked {
  readonly guildId: Snowflake;
  readonly member: Member;
  readonly isDefault: boolean;
}

function forMember(level: Level, { guildId, member, isDefault }: Asked): boolean | undefined {
  const { userId, roleId, roleIds } = member;
  const ofRoles = [roleId, ...roleIds]
    .map((id) => overwriteFor(level, Role, id))
    .filter((value) => value !== undefined);
  const byRole = ofRoles.length === 0 ? undefined : ofRoles.includes(true);
  const ofEveryone = overwriteFor(level, Role, Everyone(guildId));
  return overwriteFor(level, User, userId) ?? byRole ?? (ofEveryone === true ? isDefault : ofEveryone);
}

function overwriteFor(level: Level, type: ApplicationCommandPermissionType, id: Snowflake): boolean | undefined {
  return level.find((one) => one.type === type && one.id === id)?.permission;
}

function first(levels: readonly Level[], read: (level: Level) => boolean | undefined): boolean | undefined {
  return levels.map(read).find((value) => value !== undefined);
}
