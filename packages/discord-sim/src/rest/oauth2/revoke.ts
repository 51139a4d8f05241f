import type { FastifyInstance } from 'fastify';
import type { World } from '../../world/world.ts';
import { authenticateClient } from './client-authentication.ts';
import { formOf, requiredParameter } from './form.ts';

/**
 * `POST /oauth2/token/revoke`: revoking any token of an authorization revokes all of them, which signs the user out
 * of this application everywhere. A standalone token ends by itself alone. A token that is unknown or another application's changes nothing, and the response
 * is the same (https://www.rfc-editor.org/rfc/rfc7009#section-2.2).
 *
 * @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant-token-revocation-example
 */
export function revoke(api: FastifyInstance, world: World): void {
  api.post('/oauth2/token/revoke', async (request) => {
    const form = formOf(request);
    const application = authenticateClient(request, form, world);
    const authorization = world.tokens.authorizationOf(requiredParameter(form, 'token'));
    if (authorization?.applicationId === application.id) world.revokeAuthorization(authorization);
    return {};
  });
}
