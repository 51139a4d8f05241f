import { type RESTGetAPIUserResult, RESTJSONErrorCodes, type Snowflake } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import type { World } from '../../world/world.ts';
import { refusal } from '../error-body.ts';
import { userObject } from '../users/user-object.ts';
import { requireBot } from './bot-authorization.ts';

/**
 * `GET /users/:userId`
 *
 * @see https://discord.com/developers/docs/resources/user#get-user
 */
export function users(api: FastifyInstance, world: World): void {
  api.get<{ Params: { userId: Snowflake } }>('/users/:userId', async (request) => {
    requireBot(request, world);
    const user = world.findUser(request.params.userId);
    if (!user) throw refusal(404, RESTJSONErrorCodes.UnknownUser, 'Unknown User');
    return userObject(user) satisfies RESTGetAPIUserResult;
  });
}
