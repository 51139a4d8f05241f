import type { Snowflake } from '@guild-settings/contract';
import * as openid from 'openid-client';
import { z } from 'zod';

const SCOPES = 'identify guilds';

const TIMEOUT_SECONDS = 8;

/** The lifetime of an access token if Discord does not send one. */
const DEFAULT_LIFETIME_SECONDS = 604_800;

export interface TokenPair {
  readonly accessToken: string;
  /** Can be used once. Undefined: the tokens cannot be renewed. */
  readonly refreshToken?: string | undefined;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface DiscordUser {
  readonly id: string;
  readonly name: string;
  readonly avatar: string | null;
  readonly locale: string | null;
}

/**
 * The reason why there are no tokens. Expired: the code or refresh token is unknown to Discord, expired, used or
 * revoked. Mismatch: the callback does not belong to the authorization request.
 */
export type OAuthFault = 'denied' | 'expired' | 'mismatch' | 'refused' | 'unavailable';

export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly fault: OAuthFault;

  constructor(fault: OAuthFault, cause: unknown) {
    super(`Discord issued no tokens: ${fault}`, { cause });
    this.fault = fault;
  }
}

/** The values that the browser has to send to complete a login. */
export interface LoginProof {
  readonly state: string;
  readonly verifier: string;
}

interface DiscordOAuthOptions {
  readonly origin: string;
  readonly discord: { readonly apiUrl: string; readonly authorizeUrl: string; readonly applicationId: Snowflake };
  readonly clientSecret: string;
  readonly nowMs: () => number;
}

const User = z.object({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  avatar: z.string().nullish(),
  locale: z.string().nullish(),
});

/**
 * Discord's OAuth2: authorization codes with PKCE, and refresh tokens.
 * @see https://discord.com/developers/docs/topics/oauth2#authorization-code-grant
 */
export class DiscordOAuth {
  readonly #options: DiscordOAuthOptions;
  readonly #server: openid.Configuration;

  constructor(options: DiscordOAuthOptions) {
    const { discord, clientSecret } = options;
    const { origin } = new URL(discord.authorizeUrl);
    const endpoints = {
      issuer: origin,
      authorization_endpoint: discord.authorizeUrl,
      token_endpoint: `${discord.apiUrl}/oauth2/token`,
    };
    const authentication = openid.ClientSecretPost(clientSecret);
    this.#options = options;
    this.#server = new openid.Configuration(endpoints, discord.applicationId, undefined, authentication);
    this.#server.timeout = TIMEOUT_SECONDS;
    if (discord.apiUrl.startsWith('http:')) openid.allowInsecureRequests(this.#server);
  }

  /** Returns a new proof, and the URL of the page where the person consents. */
  async begin({ isSilent }: { readonly isSilent: boolean }): Promise<LoginProof & { readonly location: string }> {
    const state = openid.randomState();
    const verifier = openid.randomPKCECodeVerifier();
    const { href: location } = openid.buildAuthorizationUrl(this.#server, {
      redirect_uri: `${this.#options.origin}/callback`,
      scope: SCOPES,
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // People who have consented before are not asked again.
      prompt: isSilent ? 'none' : 'consent',
    });
    return { state, verifier, location };
  }

  /**
   * Exchanges the code of Discord's redirect, which Discord accepts once. @param path path of /callback with its query
   * @throws OAuthError
   */
  complete(path: string, { state: expectedState, verifier: pkceCodeVerifier }: LoginProof): Promise<TokenPair> {
    const url = new URL(path, this.#options.origin);
    return this.#tokens(openid.authorizationCodeGrant(this.#server, url, { expectedState, pkceCodeVerifier }));
  }

  /** Exchanges a refresh token for a new pair. Discord accepts it once. @throws OAuthError */
  refresh(refreshToken: string): Promise<TokenPair> {
    return this.#tokens(openid.refreshTokenGrant(this.#server, refreshToken));
  }

  /** Returns the person of an access token. @throws OAuthError */
  async user(accessToken: string): Promise<DiscordUser> {
    try {
      const url = new URL(`${this.#options.discord.apiUrl}/users/@me`);
      const response = await openid.fetchProtectedResource(this.#server, accessToken, url, 'GET');
      const { id, username, global_name, avatar, locale } = User.parse(await response.json());
      return { id, name: global_name ?? username, avatar: avatar ?? null, locale: locale ?? null };
    } catch (error) {
      throw new OAuthError('unavailable', error);
    }
  }

  async #tokens(response: Promise<openid.TokenEndpointResponse>): Promise<TokenPair> {
    try {
      const { access_token, refresh_token, expires_in = DEFAULT_LIFETIME_SECONDS } = await response;
      const expiresAt = this.#options.nowMs() + expires_in * 1_000;
      return { accessToken: access_token, refreshToken: refresh_token, expiresAt };
    } catch (error) {
      throw new OAuthError(faultOf(error), error);
    }
  }
}

function faultOf(error: unknown): OAuthFault {
  if (error instanceof openid.AuthorizationResponseError) return error.error === 'access_denied' ? 'denied' : 'refused';
  if (error instanceof openid.ResponseBodyError) return error.error === 'invalid_grant' ? 'expired' : 'refused';
  return error instanceof openid.ClientError && error.code === 'OAUTH_INVALID_RESPONSE' ? 'mismatch' : 'unavailable';
}
