import { OAuth2Scopes, type RESTAPIPartialCurrentUserGuild } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import type { Membership } from '../../world/entities.ts';
import type { World } from '../../world/world.ts';
import { requireUser } from '../bearer.ts';
import { botOf } from '../bot/bot-authorization.ts';
import { guildPage, pageOf } from './guild-page.ts';

/**
 * `GET /users/@me/guilds`, for users and bots
 *
 * @see https://discord.com/developers/docs/resources/user#get-current-user-guilds
 */
export function currentUserGuilds(api: FastifyInstance, world: World): void {
  api.get('/users/@me/guilds', async (request) => {
    const userId = botOf(request, world)?.userId ?? requireUser(request, world, OAuth2Scopes.Guilds).id;
    const page = guildPage(request.query);
    return pageOf(world.membershipsOf(userId), page).map((membership) => partialGuild(membership, page.withCounts));
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
