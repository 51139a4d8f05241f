import type { RESTGetAPIGuildMembersSearchResult, Snowflake } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { memberObject } from '../../objects/guild-objects.ts';
import { isNamedLike } from '../../world/guilds.ts';
import type { World } from '../../world/world.ts';
import { requireBot } from '../authorization.ts';
import { integerText, optional, text } from '../form/fields.ts';
import { readForm } from '../form/read-form.ts';
import { joinedGuild } from './access.ts';

const searchQuery = z.object({
  query: text({ min: 1, max: 100 }),
  limit: optional(integerText({ min: 1, max: 1_000 })),
});

/**
 * `GET /guilds/:guildId/members/search`, for guilds that the bot is in.
 *
 * @see https://discord.com/developers/docs/resources/guild#search-guild-members
 */
export function memberSearch(api: FastifyInstance, world: World): void {
  api.get<{ Params: { guildId: Snowflake } }>('/guilds/:guildId/members/search', async (request) => {
    const { id } = joinedGuild(world, requireBot(request, world), request.params.guildId);
    const { query, limit = 1 } = readForm(searchQuery, request.query);
    const found = world.guilds.members(id).filter((member) => isNamedLike(world, member, query));
    return found
      .slice(0, limit)
      .map((member) => memberObject(world, member)) satisfies RESTGetAPIGuildMembersSearchResult;
  });
}
