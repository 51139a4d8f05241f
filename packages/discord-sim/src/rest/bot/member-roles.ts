import { PermissionFlagsBits, RESTJSONErrorCodes, type Snowflake } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Bot, Member } from '../../world/entities.ts';
import { has } from '../../world/permissions.ts';
import type { World } from '../../world/world.ts';
import { requireBot } from '../authorization.ts';
import { refusal } from '../error-body.ts';
import { joinedGuild, missingPermissions } from './access.ts';

interface OfMember {
  Params: { readonly guildId: Snowflake; readonly userId: Snowflake; readonly roleId: Snowflake };
}

/**
 * `PUT` and `DELETE /guilds/:guildId/members/:userId/roles/:roleId`, for bots that may manage roles, with roles below their highest.
 *
 * @see https://discord.com/developers/docs/resources/guild#add-guild-member-role
 */
export function memberRoles(api: FastifyInstance, world: World): void {
  const route = (change: (roleIds: readonly Snowflake[], roleId: Snowflake) => Snowflake[]) => {
    return async (request: FastifyRequest<OfMember>, reply: FastifyReply) => {
      const { guildId, userId, roleId } = request.params;
      const { roleIds } = changeable(world, requireBot(request, world), request.params);
      world.setMemberRoles(guildId, userId, change(roleIds, roleId));
      return reply.code(204).send();
    };
  };
  const path = '/guilds/:guildId/members/:userId/roles/:roleId';
  api.put<OfMember>(
    path,
    route((roleIds, roleId) => [...roleIds, roleId]),
  );
  api.delete<OfMember>(
    path,
    route((roleIds, roleId) => roleIds.filter((id) => id !== roleId)),
  );
}

/**
 * Returns the member, whose role the bot may change.
 *
 * @throws {RestRefusal} 404 for an unknown guild (10004), member (10007) or role (10011), 403 (50001) when the bot is not in the
 *   guild, and 403 (50013) when it may not manage this role
 */
function changeable(world: World, bot: Bot, { guildId, userId, roleId }: OfMember['Params']): Member {
  const { id } = joinedGuild(world, bot, guildId);
  const member = world.guilds.findMember(id, userId);
  if (!member) throw refusal(404, RESTJSONErrorCodes.UnknownMember, 'Unknown Member');
  const roles = world.rolesOf(id);
  const role = roles.find((one) => one.id === roleId);
  if (!role) throw refusal(404, RESTJSONErrorCodes.UnknownRole, 'Unknown Role');
  const own = world.guilds.member(id, bot.userId);
  const ownRoles = roles.filter((one) => one.id === own.roleId || own.roleIds.includes(one.id));
  const isBelow = ownRoles.some(({ position }) => position > role.position);
  const mayManage = has(world.guilds.permissionsOf(id, own), PermissionFlagsBits.ManageRoles);
  if (!mayManage || role.managed || !isBelow) throw missingPermissions();
  return member;
}
