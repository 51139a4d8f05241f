import type { ApplicationFlags, RESTGetCurrentApplicationResult } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import type { World } from '../../world/world.ts';
import { userObject } from '../users/user-object.ts';
import { requireBot } from './bot-authorization.ts';

/**
 * `GET /applications/@me`
 *
 * @see https://discord.com/developers/docs/resources/application#get-current-application
 */
export function currentApplication(api: FastifyInstance, world: World): void {
  api.get('/applications/@me', async (request) => {
    const { applicationId, userId } = requireBot(request, world);
    const { id, name, ownerId, redirectUris } = world.application(applicationId);
    return {
      id,
      name,
      icon: null,
      description: '',
      summary: '',
      bot_public: true,
      bot_require_code_grant: false,
      verify_key: '',
      team: null,
      flags: 0 as ApplicationFlags,
      flags_new: '0',
      redirect_uris: [...redirectUris],
      bot: userObject(world.user(userId)),
      ...(ownerId !== null && { owner: userObject(world.user(ownerId)) }),
    } satisfies RESTGetCurrentApplicationResult;
  });
}
