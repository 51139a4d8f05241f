import type { Application } from '../../world/entities.ts';
import { isClientCredentialsOnly } from '../../world/scopes.ts';
import type { World } from '../../world/world.ts';
import { requiredParameter } from './form.ts';
import { OAuth2Refusal } from './oauth2-refusal.ts';
import { invalidScope, parseScopes } from './requested-scopes.ts';
import { userTokenResponse } from './token-response.ts';

/**
 * Exchanges a code for a user's token.
 *
 * @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant
 */
export function authorizationCodeGrant(world: World, application: Application, form: URLSearchParams) {
  const code = requiredParameter(form, 'code');
  if (parseScopes(form.get('scope') ?? '').some(isClientCredentialsOnly)) throw invalidScope();
  const outcome = world.codes.redeem({ code, applicationId: application.id, redirectUri: form.get('redirect_uri') });
  if (typeof outcome === 'string') throw new OAuth2Refusal('invalid_grant', `Invalid "${outcome}" in request.`);
  if (outcome.scopes.some(isClientCredentialsOnly)) throw invalidScope();
  return userTokenResponse(world.tokens.issueRenewable(outcome), outcome.scopes);
}
