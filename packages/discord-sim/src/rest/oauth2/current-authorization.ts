import { OAuth2Scopes, type RESTGetAPIOAuth2CurrentAuthorizationResult } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { applicationObject, userObject } from '../../objects/guild-objects.ts';
import type { World } from '../../world/world.ts';
import { requireToken } from '../authorization.ts';

/**
 * `GET /oauth2/@me`
 *
 * @see https://discord.com/developers/docs/topics/oauth2#get-current-authorization-information
 */
export function currentAuthorization(api: FastifyInstance, world: World): void {
  api.get('/oauth2/@me', async (request) => {
    const { authorization, expiresAt } = requireToken(request, world);
    const { applicationId, userId, scopes } = authorization;
    const identified = userId !== null && scopes.includes(OAuth2Scopes.Identify);
    return {
      application: applicationObject(world.application(applicationId)),
      scopes: [...scopes],
      expires: timestamp(expiresAt),
      ...(identified && { user: userObject(world.user(userId)) }),
    } satisfies RESTGetAPIOAuth2CurrentAuthorizationResult;
  });
}

/** Formats a time as Discord does: ISO 8601 with microseconds and `+00:00`. */
function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}
