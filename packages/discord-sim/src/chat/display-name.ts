import type { Snowflake } from 'discord-api-types/v10';
import type { World } from '../world/world.ts';

/** Returns the display name of a member: the nickname, the global name or the username. */
export function displayName(world: World, guildId: Snowflake, userId: Snowflake): string {
  const { globalName, username } = world.user(userId);
  return world.guilds.findMember(guildId, userId)?.nick ?? globalName ?? username;
}
