import { type APIApplicationCommand, PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import { has, permissionsInGuild } from '../world/permissions.ts';
import type { World } from '../world/world.ts';

/**
 * Returns whether a command is shown to a user by its `default_member_permissions`.
 *
 * @throws {Error} when they are not in the guild
 * @see https://discord.com/developers/docs/interactions/application-commands#permissions
 */
export function isShown(
  { guilds }: World,
  { default_member_permissions: needed }: Pick<APIApplicationCommand, 'default_member_permissions'>,
  guildId: Snowflake,
  userId: Snowflake,
): boolean {
  const permissions = permissionsInGuild(guilds.guild(guildId), guilds.member(guildId, userId));
  // "0": administrators only.
  const wanted = needed === '0' ? PermissionFlagsBits.Administrator : BigInt(needed ?? 0);
  return has(permissions, wanted);
}
