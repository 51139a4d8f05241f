import type {
  OAuth2Scopes,
  RESTPostOAuth2AccessTokenResult,
  RESTPostOAuth2ClientCredentialsResult,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import type { Application } from '../../world/entities.ts';
import {
  ACCESS_TOKEN_SECONDS,
  type IssuedToken,
  type IssuedUserToken,
  isClientCredentialsOnly,
  isCodeVerifier,
  readScopes,
} from '../../world/tokens.ts';
import type { World } from '../../world/world.ts';
import type { RestRefusal } from '../error-body.ts';
import { authenticateClient } from './client-authentication.ts';
import { formOf, oauth2Refusal, requiredParameter } from './form.ts';

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
        throw oauth2Refusal('unsupported_grant_type', `Grant type ${grantType ?? 'None'} is not supported`);
    }
  });
}

/**
 * Exchanges a code for a user's token.
 *
 * @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant
 */
function authorizationCodeGrant(world: World, { id: applicationId }: Application, form: URLSearchParams) {
  const code = requiredParameter(form, 'code');
  const codeVerifier = codeVerifierOf(form);
  if (parseScopes(form.get('scope') ?? '').some(isClientCredentialsOnly)) throw invalidScope();
  const outcome = world.codes.redeem({ code, applicationId, redirectUri: form.get('redirect_uri'), codeVerifier });
  if (outcome === 'code_verifier' && codeVerifier === null) {
    throw oauth2Refusal('invalid_request', 'Missing "code_verifier"');
  }
  if (typeof outcome === 'string') throw oauth2Refusal('invalid_grant', `Invalid "${outcome}" in request.`);
  if (outcome.scopes.some(isClientCredentialsOnly)) throw invalidScope();
  return userTokenResponse(world.tokens.issueRenewable(outcome), outcome.scopes);
}

/** https://github.com/discord/discord-api-docs/issues/5254 has the error for a verifier that is too short. */
function codeVerifierOf(form: URLSearchParams): string | null {
  const verifier = form.get('code_verifier') || null;
  if (verifier === null || isCodeVerifier(verifier)) return verifier;
  throw oauth2Refusal('invalid_request', 'Invalid "code_verifier"');
}

/**
 * Renews a user's token. The refresh token is used up, and the response has a new one.
 *
 * @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant-refresh-token-exchange-example
 */
function refreshTokenGrant(world: World, application: Application, form: URLSearchParams) {
  const refreshToken = requiredParameter(form, 'refresh_token');
  const authorization = world.tokens.findRefresh(refreshToken, application.id);
  if (!authorization) throw oauth2Refusal('invalid_grant', 'Invalid "refresh_token" in request.');
  world.tokens.spendRefresh(refreshToken);
  return userTokenResponse(world.tokens.issueRenewable(authorization), authorization.scopes);
}

/**
 * Issues a token for the application itself, with its owner as the user.
 *
 * @see https://discord.com/developers/docs/topics/oauth2#client-credentials-grant
 */
function clientCredentialsGrant(world: World, application: Application, form: URLSearchParams) {
  const scopes = parseScopes(form.get('scope') ?? '');
  if (scopes.length === 0) throw invalidScope();
  const issued = world.issueClientCredentialsToken({ applicationId: application.id, scopes });
  return tokenResponse(issued, scopes) satisfies RESTPostOAuth2ClientCredentialsResult;
}

function tokenResponse({ accessToken }: IssuedToken, scopes: readonly OAuth2Scopes[]) {
  return {
    token_type: 'Bearer',
    access_token: accessToken,
    expires_in: ACCESS_TOKEN_SECONDS,
    scope: scopes.join(' '),
  };
}

/**
 * Returns the response of the grants for a user's token.
 *
 * @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant-access-token-response
 */
function userTokenResponse(issued: IssuedUserToken, scopes: readonly OAuth2Scopes[]) {
  return {
    ...tokenResponse(issued, scopes),
    refresh_token: issued.refreshToken,
  } satisfies RESTPostOAuth2AccessTokenResult;
}

/**
 * Parses a space-separated list of scopes and removes duplicates.
 *
 * @throws {RestRefusal} `invalid_scope` for an unknown one
 */
function parseScopes(list: string): OAuth2Scopes[] {
  const scopes = readScopes(list);
  if (!scopes) throw invalidScope();
  return scopes;
}

/** The error for scopes that do not exist or that this grant cannot issue. */
function invalidScope(): RestRefusal {
  return oauth2Refusal('invalid_scope', 'The requested scope is invalid, unknown, or malformed.');
}
