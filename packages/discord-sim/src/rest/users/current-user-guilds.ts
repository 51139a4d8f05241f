import { OAuth2Scopes, type RESTAPIPartialCurrentUserGuild } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import type { Membership } from '../../world/entities.ts';
import type { World } from '../../world/world.ts';
import { requireUser } from '../bearer.ts';
import { guildPage, pageOf } from './guild-page.ts';

/**
 * `GET /users/@me/guilds`
 *
 * @see https://discord.com/developers/docs/resources/user#get-current-user-guilds
 */
export function currentUserGuilds(api: FastifyInstance, world: World): void {
  api.get<{ Querystring: Record<string, unknown> }>('/users/@me/guilds', async (request) => {
    const { id } = requireUser(request, world, OAuth2Scopes.Guilds);
    const page = guildPage(request.query);
    const withCounts = request.query.with_counts === 'true' || request.query.with_counts === '1';
    return pageOf(world.membershipsOf(id), page).map((membership) => partialGuild(membership, withCounts));
  });
}

function partialGuild({ guild, owner, permissions, memberCount }: Membership, withCounts: boolean) {
  return {
    id: guild.id,
    name: guild.name,
    icon: guild.icon,
    banner: null,
    owner,
    permissions: permissions.toString(),
    features: [],
    ...(withCounts && { approximate_member_count: memberCount, approximate_presence_count: 0 }),
  } satisfies RESTAPIPartialCurrentUserGuild;
}
