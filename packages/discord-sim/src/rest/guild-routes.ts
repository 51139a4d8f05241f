import {
  PermissionFlagsBits,
  type RESTGetAPIChannelResult,
  type RESTGetAPIGuildChannelsResult,
  type RESTGetAPIGuildEmojisResult,
  type RESTGetAPIGuildMemberResult,
  type RESTGetAPIGuildMembersSearchResult,
  type RESTGetAPIGuildResult,
  type RESTGetAPIGuildRolesResult,
  RESTJSONErrorCodes,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  channelObject,
  guildChannelObjects,
  guildEmojiObjects,
  guildObject,
  guildRoleObjects,
  memberObject,
} from '../objects/guild-objects.ts';
import type { Bot, Member } from '../world/entities.ts';
import { isNamedLike } from '../world/guilds.ts';
import { has } from '../world/permissions.ts';
import type { World } from '../world/world.ts';
import { joinedGuild, missingPermissions, requireBot, viewedChannel, writableChannel } from './access.ts';
import { refusal } from './error-body.ts';
import { flagText, integerText, optional, readForm, text } from './form.ts';

const guildQuery = z.object({ with_counts: optional(flagText) });

const searchQuery = z.object({
  query: text({ min: 1, max: 100 }),
  limit: optional(integerText({ min: 1, max: 1_000 })),
});

/**
 * @see https://discord.com/developers/docs/resources/guild
 * @see https://discord.com/developers/docs/resources/channel
 */
export function guilds(api: FastifyInstance, world: World): void {
  api.get<{ Params: { guildId: Snowflake } }>('/guilds/:guildId', async (request) => {
    const { id } = joinedGuild(world, requireBot(request, world), request.params.guildId);
    const { with_counts: withCounts = false } = readForm(guildQuery, request.query);
    const { length } = world.guilds.members(id);
    return {
      ...guildObject(world, id),
      ...(withCounts && { approximate_member_count: length, approximate_presence_count: 0 }),
    } satisfies RESTGetAPIGuildResult;
  });

  api.get<{ Params: { guildId: Snowflake } }>('/guilds/:guildId/channels', async (request) => {
    const { id } = joinedGuild(world, requireBot(request, world), request.params.guildId);
    return guildChannelObjects(world, id) satisfies RESTGetAPIGuildChannelsResult;
  });

  api.get<{ Params: { guildId: Snowflake } }>('/guilds/:guildId/roles', async (request) => {
    const { id } = joinedGuild(world, requireBot(request, world), request.params.guildId);
    return guildRoleObjects(world, id) satisfies RESTGetAPIGuildRolesResult;
  });

  api.get<{ Params: { guildId: Snowflake } }>('/guilds/:guildId/emojis', async (request) => {
    const { id } = joinedGuild(world, requireBot(request, world), request.params.guildId);
    return guildEmojiObjects(world, id) satisfies RESTGetAPIGuildEmojisResult;
  });

  api.get<{ Params: { guildId: Snowflake; userId: Snowflake } }>(
    '/guilds/:guildId/members/:userId',
    async (request) => {
      const { id } = joinedGuild(world, requireBot(request, world), request.params.guildId);
      const member = world.guilds.findMember(id, request.params.userId);
      if (!member) throw refusal(404, RESTJSONErrorCodes.UnknownMember, 'Unknown Member');
      return memberObject(world, member) satisfies RESTGetAPIGuildMemberResult;
    },
  );

  api.get<{ Params: { guildId: Snowflake } }>('/guilds/:guildId/members/search', async (request) => {
    const { id } = joinedGuild(world, requireBot(request, world), request.params.guildId);
    const { query, limit = 1 } = readForm(searchQuery, request.query);
    const found = world.guilds.members(id).filter((member) => isNamedLike(world, member, query));
    return found
      .slice(0, limit)
      .map((member) => memberObject(world, member)) satisfies RESTGetAPIGuildMembersSearchResult;
  });

  api.get<{ Params: { channelId: Snowflake } }>('/channels/:channelId', async (request) => {
    const channel = viewedChannel(world, requireBot(request, world), request.params.channelId);
    return channelObject(world, channel) satisfies RESTGetAPIChannelResult;
  });

  api.post<{ Params: { channelId: Snowflake } }>('/channels/:channelId/typing', async (request, reply) => {
    writableChannel(world, requireBot(request, world), request.params.channelId);
    return reply.code(204).send();
  });
}

interface OfMember {
  Params: { readonly guildId: Snowflake; readonly userId: Snowflake; readonly roleId: Snowflake };
}

/**
 * `PUT` and `DELETE /guilds/:guildId/members/:userId/roles/:roleId`, for bots that may manage roles, with roles below their highest.
 *
 * @see https://discord.com/developers/docs/resources/guild#add-guild-member-role
 */
export function memberRoles(api: FastifyInstance, world: World): void {
  const url = '/guilds/:guildId/members/:userId/roles/:roleId';
  for (const method of ['PUT', 'DELETE'] as const) {
    api.route<OfMember>({
      method,
      url,
      handler: async (request, reply) => {
        const { guildId, userId, roleId } = request.params;
        const { roleIds } = changeable(world, requireBot(request, world), request.params);
        world.setMemberRoles(
          guildId,
          userId,
          method === 'PUT' ? [...roleIds, roleId] : roleIds.filter((id) => id !== roleId),
        );
        return reply.code(204).send();
      },
    });
  }
}

/**
 * @throws {RestRefusal} 404 for an unknown guild (10004), member (10007) or role (10011), 403 (50001) when the bot is not in the
 * guild, and 403 (50013) when it may not manage this role
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
