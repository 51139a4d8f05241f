import type { OAuth2Scopes, RESTPostOAuth2AccessTokenResult } from 'discord-api-types/v10';
import { ACCESS_TOKEN_SECONDS, type IssuedToken, type IssuedUserToken } from '../../world/access-tokens.ts';

/** The response of every grant. */
export function tokenResponse({ accessToken }: IssuedToken, scopes: readonly OAuth2Scopes[]) {
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
export function userTokenResponse(issued: IssuedUserToken, scopes: readonly OAuth2Scopes[]) {
  return {
    ...tokenResponse(issued, scopes),
    refresh_token: issued.refreshToken,
  } satisfies RESTPostOAuth2AccessTokenResult;
}
