import type { Application } from '../../world/entities.ts';
import type { World } from '../../world/world.ts';
import { requiredParameter } from './form.ts';
import { OAuth2Refusal } from './oauth2-refusal.ts';
import { userTokenResponse } from './token-response.ts';

/**
 * Renews a user's token. The refresh token is used up, and the response has a new one.
 *
 * @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant-refresh-token-exchange-example
 */
export function refreshTokenGrant(world: World, application: Application, form: URLSearchParams) {
  const refreshToken = requiredParameter(form, 'refresh_token');
  const authorization = world.tokens.findRefresh(refreshToken, application.id);
  if (!authorization) throw new OAuth2Refusal('invalid_grant', 'Invalid "refresh_token" in request.');
  world.tokens.spendRefresh(refreshToken);
  return userTokenResponse(world.tokens.issueRenewable(authorization), authorization.scopes);
}
