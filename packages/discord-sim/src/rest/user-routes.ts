import {
  OAuth2Scopes,
  type RESTAPIPartialCurrentUserGuild,
  type RESTGetAPICurrentUserResult,
  type RESTGetAPIUserResult,
  type RESTGetCurrentUserGuildMemberResult,
  RESTJSONErrorCodes,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { memberObject, ownUserObject, userObject } from '../objects/guild-objects.ts';
import type { Membership } from '../world/entities.ts';
import { byAge } from '../world/snowflake.ts';
import type { World } from '../world/world.ts';
import { botOf, requireBot, requireUser } from './access.ts';
import { notForBots, refusal } from './error-body.ts';
import { checkPathIds, flagText, id, integerText, optional, readForm } from './form.ts';

const MAX_LIMIT = 200;

const pageQuery = z.object({
  before: optional(id),
  after: optional(id),
  limit: optional(integerText({ min: 1, max: MAX_LIMIT })),
  with_counts: optional(flagText),
});

/**
 * Registers `GET /users/@me` and its guilds, for users and bots, its member in a guild, for users, and `GET /users/:userId`,
 * for bots.
 *
 * @see https://discord.com/developers/docs/resources/user
 */
export function users(api: FastifyInstance, world: World): void {
  api.get('/users/@me', async (request) => {
    const bot = botOf(request, world);
    const user = bot ? world.user(bot.userId) : requireUser(request, world, OAuth2Scopes.Identify);
    return ownUserObject(user) satisfies RESTGetAPICurrentUserResult;
  });

  api.get('/users/@me/guilds', async (request) => {
    const userId = botOf(request, world)?.userId ?? requireUser(request, world, OAuth2Scopes.Guilds).id;
    const { with_counts: withCounts = false, ...page } = readForm(pageQuery, request.query);
    return pageOf(world.membershipsOf(userId), page).map((membership) => partialGuild(membership, withCounts));
  });

  api.get<{ Params: { guildId: Snowflake } }>('/users/@me/guilds/:guildId/member', async (request) => {
    if (botOf(request, world)) throw notForBots();
    const { id } = requireUser(request, world, OAuth2Scopes.GuildsMembersRead);
    checkPathIds(request);
    const member = world.guilds.findMember(request.params.guildId, id);
    if (!member) throw refusal(404, RESTJSONErrorCodes.UnknownGuild, 'Unknown Guild');
    return memberObject(world, member) satisfies RESTGetCurrentUserGuildMemberResult;
  });

  api.get<{ Params: { userId: Snowflake } }>('/users/:userId', async (request) => {
    requireBot(request, world);
    const user = world.findUser(request.params.userId);
    if (!user) throw refusal(404, RESTJSONErrorCodes.UnknownUser, 'Unknown User');
    return userObject(user) satisfies RESTGetAPIUserResult;
  });
}

/** Returns a page of a list sorted by age: the first ones after `after`, or the last ones before `before`. */
function pageOf(
  memberships: readonly Membership[],
  { before, after, limit = MAX_LIMIT }: Omit<z.output<typeof pageQuery>, 'with_counts'>,
): Membership[] {
  const between = memberships.filter(
    ({ guild }) =>
      (before === undefined || byAge(guild.id, before) < 0) && (after === undefined || byAge(guild.id, after) > 0),
  );
  return before !== undefined && after === undefined ? between.slice(-limit) : between.slice(0, limit);
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
