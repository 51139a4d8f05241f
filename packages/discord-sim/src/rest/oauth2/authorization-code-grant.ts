import { isCodeVerifier } from '../../world/code-challenge.ts';
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
export function authorizationCodeGrant(world: World, { id: applicationId }: Application, form: URLSearchParams) {
  const code = requiredParameter(form, 'code');
  const codeVerifier = codeVerifierOf(form);
  if (parseScopes(form.get('scope') ?? '').some(isClientCredentialsOnly)) throw invalidScope();
  const outcome = world.codes.redeem({ code, applicationId, redirectUri: form.get('redirect_uri'), codeVerifier });
  if (outcome === 'code_verifier' && codeVerifier === null) {
    throw new OAuth2Refusal('invalid_request', 'Missing "code_verifier"');
  }
  if (typeof outcome === 'string') throw new OAuth2Refusal('invalid_grant', `Invalid "${outcome}" in request.`);
  if (outcome.scopes.some(isClientCredentialsOnly)) throw invalidScope();
  return userTokenResponse(world.tokens.issueRenewable(outcome), outcome.scopes);
}

/** https://github.com/discord/discord-api-docs/issues/5254 has the error for a verifier that is too short. */
function codeVerifierOf(form: URLSearchParams): string | null {
  const verifier = form.get('code_verifier') || null;
  if (verifier === null || isCodeVerifier(verifier)) return verifier;
  throw new OAuth2Refusal('invalid_request', 'Invalid "code_verifier"');
}
