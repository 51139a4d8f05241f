import {
  type RESTGetAPIGuildChannelsResult,
  type RESTGetAPIGuildMemberResult,
  type RESTGetAPIGuildResult,
  type RESTGetAPIGuildRolesResult,
  RESTJSONErrorCodes,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { guildChannelObjects, guildObject, guildRoleObjects, memberObject } from '../../objects/guild-objects.ts';
import type { World } from '../../world/world.ts';
import { requireBot } from '../authorization.ts';
import { refusal } from '../error-body.ts';
import { flagText, optional } from '../form/fields.ts';
import { readForm } from '../form/read-form.ts';
import { joinedGuild } from './access.ts';

const guildQuery = z.object({ with_counts: optional(flagText) });

/**
 * `GET /guilds/:guildId`, its channels, roles and members, for guilds that the bot is in.
 *
 * @see https://discord.com/developers/docs/resources/guild
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

  api.get<{ Params: { guildId: Snowflake; userId: Snowflake } }>(
    '/guilds/:guildId/members/:userId',
    async (request) => {
      const { id } = joinedGuild(world, requireBot(request, world), request.params.guildId);
      const member = world.guilds.findMember(id, request.params.userId);
      if (!member) throw refusal(404, RESTJSONErrorCodes.UnknownMember, 'Unknown Member');
      return memberObject(world, member) satisfies RESTGetAPIGuildMemberResult;
    },
  );
}
