import { OAuth2Scopes, type RESTGetAPICurrentUserResult } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import type { World } from '../../world/world.ts';
import { requireUser } from '../bearer.ts';
import { NO_FLAGS, userObject } from './user-object.ts';

/**
 * `GET /users/@me`
 *
 * @see https://discord.com/developers/docs/resources/user#get-current-user
 */
export function currentUser(api: FastifyInstance, world: World): void {
  api.get('/users/@me', async (request) => {
    const user = requireUser(request, world, OAuth2Scopes.Identify);
    return {
      ...userObject(user),
      flags: NO_FLAGS,
      banner: null,
      accent_color: null,
      locale: 'en-US',
      mfa_enabled: false,
      premium_type: 0,
    } satisfies RESTGetAPICurrentUserResult;
  });
}
