import type { FastifyInstance } from 'fastify';
import type { World } from '../../world/world.ts';
import { authorizationCodeGrant } from './authorization-code-grant.ts';
import { authenticateClient } from './client-authentication.ts';
import { clientCredentialsGrant } from './client-credentials-grant.ts';
import { formOf } from './form.ts';
import { OAuth2Refusal } from './oauth2-refusal.ts';
import { refreshTokenGrant } from './refresh-token-grant.ts';

/**
 * `POST /oauth2/token`
 *
 * @see https://discord.com/developers/docs/topics/oauth2#shared-resources-oauth2-urls
 */
export function token(api: FastifyInstance, world: World): void {
  api.post('/oauth2/token', async (request, reply) => {
    // https://www.rfc-editor.org/rfc/rfc6749#section-5.1
    reply.header('cache-control', 'no-store');
    const form = formOf(request);
    const application = authenticateClient(request, form, world);
    const grantType = form.get('grant_type');
    switch (grantType) {
      case 'authorization_code':
        return authorizationCodeGrant(world, application, form);
      case 'refresh_token':
        return refreshTokenGrant(world, application, form);
      case 'client_credentials':
        return clientCredentialsGrant(world, application, form);
      default:
        throw new OAuth2Refusal('unsupported_grant_type', `Grant type ${grantType ?? 'None'} is not supported`);
    }
  });
}
