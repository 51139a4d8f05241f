import { type APIApplicationCommand, PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import { has, permissionsInGuild } from '../world/permissions.ts';
import type { World } from '../world/world.ts';

/**
 * Whether somebody is shown a command, as its `default_member_permissions` stand.
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
  // "0" leaves it to administrators.
  const wanted = needed === '0' ? PermissionFlagsBits.Administrator : BigInt(needed ?? 0);
  return has(permissions, wanted);
}
