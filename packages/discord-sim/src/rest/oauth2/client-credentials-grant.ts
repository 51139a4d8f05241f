import type { RESTPostOAuth2ClientCredentialsResult } from 'discord-api-types/v10';
import type { Application } from '../../world/entities.ts';
import type { World } from '../../world/world.ts';
import { invalidScope, parseScopes } from './requested-scopes.ts';
import { tokenResponse } from './token-response.ts';

/**
 * Issues a token for the application itself, with its owner as the user.
 *
 * @see https://discord.com/developers/docs/topics/oauth2#client-credentials-grant
 */
export function clientCredentialsGrant(world: World, application: Application, form: URLSearchParams) {
  const scopes = parseScopes(form.get('scope') ?? '');
  if (scopes.length === 0) throw invalidScope();
  const issued = world.issueClientCredentialsToken({ applicationId: application.id, scopes });
  return tokenResponse(issued, scopes) satisfies RESTPostOAuth2ClientCredentialsResult;
}
