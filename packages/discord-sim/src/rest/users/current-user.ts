import { OAuth2Scopes, type RESTGetAPICurrentUserResult } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { ownUserObject } from '../../objects/own-user-object.ts';
import type { World } from '../../world/world.ts';
import { requireUser } from '../bearer.ts';
import { botOf } from '../bot/bot-authorization.ts';

/**
 * `GET /users/@me`
 *
 * @see https://discord.com/developers/docs/resources/user#get-current-user
 */
export function currentUser(api: FastifyInstance, world: World): void {
  api.get('/users/@me', async (request) => {
    const bot = botOf(request, world);
    const user = bot ? world.user(bot.userId) : requireUser(request, world, OAuth2Scopes.Identify);
    return ownUserObject(user) satisfies RESTGetAPICurrentUserResult;
  });
}
