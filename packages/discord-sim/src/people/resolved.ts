import {
  type APIApplicationCommandInteractionDataOption,
  type APIInteractionDataResolved,
  type APIInteractionDataResolvedChannel,
  ApplicationCommandOptionType,
  type Snowflake,
} from 'discord-api-types/v10';
import { channelObject } from '../objects/channel-object.ts';
import { memberWithoutUser, roleObject } from '../objects/member-object.ts';
import { userObject } from '../objects/user-object.ts';
import type { World } from '../world/world.ts';

/** The context of a look-up: the person who sees its result, and the channel. */
interface Viewpoint {
  readonly guildId: Snowflake;
  readonly userId: Snowflake;
}

export interface Resolution extends Viewpoint {
  readonly options: readonly APIApplicationCommandInteractionDataOption[];
}

interface NamedIds {
  readonly users: readonly Snowflake[];
  readonly channels: readonly Snowflake[];
  readonly roles: readonly Snowflake[];
}

export function resolved(world: World, { options, ...viewpoint }: Resolution): APIInteractionDataResolved {
  const { User, Channel: InChannel } = ApplicationCommandOptionType;
  const leaves = options.flatMap(flattened);
  const ids = (type: ApplicationCommandOptionType) =>
    leaves.flatMap((option) => (option.type === type && 'value' in option ? String(option.value) : []));
  return resolvedIds(world, viewpoint, { users: ids(User), channels: ids(InChannel), roles: [] });
}

/**
 * Returns users, channels and roles by their ids.
 *
 * @throws {Error} for an unknown user, or a channel of another guild
 * @see https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-resolved-data-structure
 */
export function resolvedIds(
  world: World,
  { guildId, userId }: Viewpoint,
  { users, channels, roles }: NamedIds,
): APIInteractionDataResolved {
  const data: Required<Pick<APIInteractionDataResolved, 'users' | 'members' | 'channels' | 'roles'>> = {
    users: {},
    members: {},
    channels: {},
    roles: {},
  };
  for (const id of users) {
    data.users[id] = userObject(world.user(id));
    const member = world.guilds.findMember(guildId, id);
    const permissions = member ? world.guilds.permissionsOf(guildId, member).toString() : '0';
    if (member) data.members[id] = { ...memberWithoutUser(member), permissions };
  }
  for (const id of channels) {
    const channel = world.channels.channel(id);
    if (channel.guildId !== guildId) throw new Error(`Channel ${channel.id} is not in guild ${guildId}`);
    const permissions = world.permissionsIn(channel.id, userId).toString();
    // Discord sends fewer properties of the channel here.
    data.channels[id] = { ...channelObject(world, channel), permissions } as APIInteractionDataResolvedChannel;
  }
  for (const role of world.rolesOf(guildId)) if (roles.includes(role.id)) data.roles[role.id] = roleObject(role);
  return data;
}

function flattened(option: APIApplicationCommandInteractionDataOption): APIApplicationCommandInteractionDataOption[] {
  return 'options' in option && option.options ? option.options.flatMap(flattened) : [option];
}
