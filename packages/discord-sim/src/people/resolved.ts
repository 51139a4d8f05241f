import {
  type APIApplicationCommandInteractionDataOption,
  type APIInteractionDataResolved,
  type APIInteractionDataResolvedChannel,
  ApplicationCommandOptionType,
  type Snowflake,
} from 'discord-api-types/v10';
import { channelObject } from '../objects/channel-object.ts';
import { memberWithoutUser } from '../objects/member-object.ts';
import { userObject } from '../objects/user-object.ts';
import type { World } from '../world/world.ts';

/** The context of a lookup. */
export interface Resolution {
  readonly guildId: Snowflake;
  readonly userId: Snowflake;
  readonly options: readonly APIApplicationCommandInteractionDataOption[];
}

/**
 * Returns the users and channels in option values.
 *
 * @throws {Error} for an unknown user, or a channel of another guild
 * @see https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-resolved-data-structure
 */
export function resolved(world: World, { guildId, userId, options }: Resolution): APIInteractionDataResolved {
  const data: Required<Pick<APIInteractionDataResolved, 'users' | 'members' | 'channels'>> = {
    users: {},
    members: {},
    channels: {},
  };
  for (const option of options.flatMap(flattened)) {
    if (option.type === ApplicationCommandOptionType.User) {
      data.users[option.value] = userObject(world.user(option.value));
      const member = world.guilds.findMember(guildId, option.value);
      const permissions = member ? world.guilds.permissionsOf(guildId, member).toString() : '0';
      if (member) data.members[option.value] = { ...memberWithoutUser(member), permissions };
    }
    if (option.type === ApplicationCommandOptionType.Channel) {
      const channel = world.channels.channel(option.value);
      if (channel.guildId !== guildId) throw new Error(`Channel ${channel.id} is not in guild ${guildId}`);
      const permissions = world.permissionsIn(channel.id, userId).toString();
      // Discord sends fewer properties of the channel here.
      data.channels[channel.id] = {
        ...channelObject(world, channel),
        permissions,
      } as APIInteractionDataResolvedChannel;
    }
  }
  return data;
}

function flattened(option: APIApplicationCommandInteractionDataOption): APIApplicationCommandInteractionDataOption[] {
  return 'options' in option && option.options ? option.options.flatMap(flattened) : [option];
}
