import type { Snowflake } from '@guild-settings/contract';
import * as oauth from 'oauth4webapi';
import { z } from 'zod';

/** The scopes that the service needs: the identity of the person, and the guilds that they manage. */
const SCOPES = 'identify guilds';

const TIMEOUT_MS = 8_000;

/** The lifetime of an access token where Discord does not send one. */
const DEFAULT_LIFETIME_SECONDS = 604_800;

export interface TokenPair {
  readonly accessToken: string;
  /** Accepted once. Undefined: the pair cannot be renewed. */
  readonly refreshToken?: string | undefined;
  readonly expiresAt: number;
}

export interface DiscordUser {
  readonly id: string;
  readonly name: string;
  readonly avatar: string | null;
  readonly locale: string | null;
}

export type OAuthFault =
  | 'denied'
  /** Discord has not this code or refresh token: it has expired, was used or was revoked. */
  | 'expired'
  /** The response to the authorization request does not belong to it. */
  | 'mismatch'
  | 'refused'
  | 'unavailable';

/** Thrown when Discord gave no tokens. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly fault: OAuthFault;

  constructor(fault: OAuthFault, cause: unknown) {
    super(`Discord gave no tokens: ${fault}`, { cause });
    this.fault = fault;
  }
}

/** The values that the browser has to send to complete a login. */
export interface LoginProof {
  readonly state: string;
  readonly verifier: string;
}

export interface LoginCode {
  /** Sends the code to Discord, which accepts it once. @throws OAuthError */
  exchange(): Promise<TokenPair>;
}

interface DiscordOAuthOptions {
  /** The origin at which browsers open the page. */
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
  readonly #server: oauth.AuthorizationServer;
  readonly #client: oauth.Client;
  readonly #authentication: oauth.ClientAuth;
  readonly #redirectUri: string;
  readonly #userUrl: string;
  readonly #nowMs: () => number;

  constructor({ origin, discord, clientSecret, nowMs }: DiscordOAuthOptions) {
    this.#server = {
      issuer: new URL(discord.authorizeUrl).origin,
      authorization_endpoint: discord.authorizeUrl,
      token_endpoint: `${discord.apiUrl}/oauth2/token`,
    };
    this.#client = { client_id: discord.applicationId };
    this.#authentication = oauth.ClientSecretPost(clientSecret);
    this.#redirectUri = `${origin}/callback`;
    this.#userUrl = `${discord.apiUrl}/users/@me`;
    this.#nowMs = nowMs;
  }

  /** Returns a new proof, and the address of the page where the person consents. */
  async begin({ isSilent }: { readonly isSilent: boolean }): Promise<LoginProof & { readonly location: string }> {
    const state = oauth.generateRandomState();
    const verifier = oauth.generateRandomCodeVerifier();
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.#client.client_id,
      redirect_uri: this.#redirectUri,
      scope: SCOPES,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // People who have consented before are not asked again.
      prompt: isSilent ? 'none' : 'consent',
    });
    return { state, verifier, location: `${this.#server.authorization_endpoint}?${query}` };
  }

  codeOf(response: URLSearchParams, { state, verifier }: LoginProof): LoginCode {
    const valid = this.#validate(response, state);
    const exchange = async () => {
      const answer = await oauth.authorizationCodeGrantRequest(
        this.#server,
        this.#client,
        this.#authentication,
        valid,
        this.#redirectUri,
        verifier,
        this.#options(),
      );
      return oauth.processAuthorizationCodeResponse(this.#server, this.#client, answer);
    };
    return { exchange: () => this.#tokens(exchange) };
  }

  /** Exchanges a refresh token for a new pair. Discord accepts it once. @throws OAuthError */
  async refresh(refreshToken: string): Promise<TokenPair> {
    return this.#tokens(async () => {
      const answer = await oauth.refreshTokenGrantRequest(
        this.#server,
        this.#client,
        this.#authentication,
        refreshToken,
        this.#options(),
      );
      return oauth.processRefreshTokenResponse(this.#server, this.#client, answer);
    });
  }

  async user(accessToken: string): Promise<DiscordUser> {
    try {
      const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(this.#userUrl, { headers, redirect: 'error', signal });
      if (!response.ok) throw new Error(`Discord responded ${response.status} to the request for the user`);
      const { id, username, global_name, avatar, locale } = User.parse(await response.json());
      return { id, name: global_name ?? username, avatar: avatar ?? null, locale: locale ?? null };
    } catch (error) {
      throw new OAuthError('unavailable', error);
    }
  }

  #validate(response: URLSearchParams, state: string): URLSearchParams {
    try {
      const valid = oauth.validateAuthResponse(this.#server, this.#client, response, state);
      const [code, ...others] = valid.getAll('code');
      if (!code || others.length > 0) throw new OAuthError('mismatch', 'Expected one code');
      return valid;
    } catch (error) {
      throw error instanceof OAuthError ? error : new OAuthError(faultOf(error), error);
    }
  }

  #options(): oauth.TokenEndpointRequestOptions {
    const isInsecure = this.#server.token_endpoint?.startsWith('http:') ?? false;
    return { signal: AbortSignal.timeout(TIMEOUT_MS), ...(isInsecure && { [oauth.allowInsecureRequests]: true }) };
  }

  async #tokens(request: () => Promise<oauth.TokenEndpointResponse>): Promise<TokenPair> {
    try {
      const { access_token, refresh_token, expires_in = DEFAULT_LIFETIME_SECONDS } = await request();
      return {
        accessToken: access_token,
        refreshToken: refresh_token,
        expiresAt: this.#nowMs() + expires_in * 1_000,
      };
    } catch (error) {
      throw new OAuthError(faultOf(error), error);
    }
  }
}

function faultOf(error: unknown): OAuthFault {
  if (error instanceof oauth.AuthorizationResponseError) return error.error === 'access_denied' ? 'denied' : 'refused';
  if (error instanceof oauth.ResponseBodyError) return error.error === 'invalid_grant' ? 'expired' : 'refused';
  if (error instanceof oauth.OperationProcessingError && error.code === oauth.INVALID_RESPONSE) return 'mismatch';
  return 'unavailable';
}
