import { mayManageGuild, PERMISSIONS } from '@guild-settings/contract';
import {
  type APIApplicationCommand,
  type APIApplicationCommandPermission,
  ApplicationCommandPermissionType,
  ApplicationCommandType,
  type AutocompleteInteraction,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  DiscordAPIError,
  type ModalSubmitInteraction,
  type RESTGetAPIApplicationCommandsResult,
  type RESTGetAPIGuildApplicationCommandsPermissionsResult,
  Routes,
} from 'discord.js';

const { Channel, Role, User } = ApplicationCommandPermissionType;

export interface CommandOfBot {
  readonly name: string;
  readonly registeredAs?: string;
  /** True: for members with Manage Guild, unless overwrites decide. */
  readonly forManagers?: boolean;
}

type CommandInteraction =
  | AutocompleteInteraction
  | ButtonInteraction
  | ChatInputCommandInteraction
  | ModalSubmitInteraction;

/**
 * Returns true if Discord would currently let a user use a command of the bot, by its rules for slash commands: the
 * user's permissions, and the overwrites by the guild's administrators for the command or for all commands of the bot.
 * Rejects when Discord cannot be reached.
 * @param permissions the user's permissions in the guild
 * @see https://support.discord.com/hc/en-us/articles/10952896421783-Updates-to-Command-Permissions
 * @see https://docs.discord.com/developers/interactions/application-commands#permissions
 */
export async function mayUseCommand(
  interaction: CommandInteraction,
  { name, registeredAs = name, forManagers = false }: CommandOfBot,
  permissions: bigint,
): Promise<boolean> {
  const { applicationId, guildId, channelId, channel, client, user } = interaction;
  if (guildId === null || channelId === null) return false;
  if ((permissions & PERMISSIONS.ADMINISTRATOR) !== 0n) return true;
  const isDefault = !forManagers || mayManageGuild({ owner: false, permissions });
  const sets = await overwritesIn(interaction, guildId);
  if (sets.length === 0) return isDefault;
  // A command of the guild takes precedence over one of all guilds.
  const lists = [Routes.applicationGuildCommands(applicationId, guildId), Routes.applicationCommands(applicationId)];
  const registered = (await Promise.all(
    lists.map((path) => client.rest.get(path)),
  )) as RESTGetAPIApplicationCommandsResult[];
  // Context menu commands may have the same name.
  const isIt = ({ name: one, type }: APIApplicationCommand) =>
    one === registeredAs && type === ApplicationCommandType.ChatInput;
  const commandId = registered.flat().find(isIt)?.id;
  // Overwrites of the command take precedence over those of the application.
  const levels = [commandId, applicationId].map((id) => sets.find((set) => set.id === id)?.permissions ?? []);
  const place = channel?.isThread() ? (channel.parentId ?? channelId) : channelId;
  const allChannels = String(BigInt(guildId) - 1n);
  const inChannel = firstOf(levels, (level) => {
    return overwriteOf(level, Channel, place) ?? overwriteOf(level, Channel, allChannels);
  });
  if (inChannel === false) return false;
  const roleIds = rolesOf(interaction).filter((id) => id !== guildId);
  const forMember = firstOf(levels, (level) => {
    const byRoles = roleIds.map((id) => overwriteOf(level, Role, id)).filter((value) => value !== undefined);
    const byRole = byRoles.length === 0 ? undefined : byRoles.includes(true);
    // Members have access by default until the command is granted to a user or a role.
    const byEveryone = overwriteOf(level, Role, guildId) === true ? isDefault : overwriteOf(level, Role, guildId);
    return overwriteOf(level, User, user.id) ?? byRole ?? byEveryone;
  });
  return forMember ?? isDefault;
}

type Level = readonly APIApplicationCommandPermission[];

/** Returns the overwrites of a guild for the commands of the bot; empty if Discord does not let the bot read them. */
async function overwritesIn(
  { applicationId, client }: CommandInteraction,
  guildId: string,
): Promise<RESTGetAPIGuildApplicationCommandsPermissionsResult> {
  try {
    const sets = await client.rest.get(Routes.guildApplicationCommandsPermissions(applicationId, guildId));
    return sets as RESTGetAPIGuildApplicationCommandsPermissionsResult;
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status === 403) return [];
    throw error;
  }
}

function rolesOf({ member }: CommandInteraction): readonly string[] {
  if (member === null) return [];
  return Array.isArray(member.roles) ? member.roles : [...member.roles.cache.keys()];
}

function overwriteOf(level: Level, type: ApplicationCommandPermissionType, id: string): boolean | undefined {
  return level.find((one) => one.type === type && one.id === id)?.permission;
}

function firstOf(levels: readonly Level[], read: (level: Level) => boolean | undefined): boolean | undefined {
  return levels.map(read).find((value) => value !== undefined);
}
