import type { Snowflake } from 'discord-api-types/v10';
import type { Clock } from '../clock.ts';
import { type Authorization, sameConsent } from './consents.ts';
import { randomToken } from './snowflake.ts';

/** 604,800 seconds, the lifetime of Discord's access tokens. */
export const ACCESS_TOKEN_SECONDS = 604_800;

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresAt: number;
}

/** A new access token of a user, with its refresh token. */
export interface IssuedUserToken extends IssuedToken {
  readonly refreshToken: string;
}

export interface AccessToken {
  readonly token: string;
  readonly authorization: Authorization;
  readonly expiresAt: number;
}

/** Options of {@link AccessTokens.issue}; a random token with Discord's lifetime unless given. */
export interface IssueOptions {
  readonly token?: string | undefined;
  readonly expiresInSeconds?: number | undefined;
}

/** Access tokens and the refresh tokens that renew them. */
export class AccessTokens {
  readonly #clock: Clock;
  readonly #access = new Map<string, AccessToken>();
  readonly #refresh = new Map<string, { authorization: Authorization; accessToken: string }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Issues an access token without a refresh token. Replaces an existing token of the same text. */
  issue(authorization: Authorization, { token, expiresInSeconds }: IssueOptions = {}): IssuedToken {
    const accessToken = token ?? randomToken();
    const expiresAt = this.#clock() + (expiresInSeconds ?? ACCESS_TOKEN_SECONDS) * 1000;
    this.#access.set(accessToken, { token: accessToken, authorization, expiresAt });
    return { accessToken, expiresAt };
  }

  /** Issues an access token together with the refresh token that renews it. */
  issueRenewable(authorization: Authorization, options: IssueOptions = {}): IssuedUserToken {
    const issued = this.issue(authorization, options);
    const refreshToken = randomToken();
    this.#refresh.set(refreshToken, { authorization, accessToken: issued.accessToken });
    return { ...issued, refreshToken };
  }

  /** Returns the valid token of this text; `null` when it is unknown, revoked or expired. */
  find(token: string): AccessToken | null {
    const found = this.#access.get(token);
    return found && found.expiresAt > this.#clock() ? found : null;
  }

  /** Returns the authorization of a refresh token; `null` when it is unknown, used up, or another application's. */
  findRefresh(refreshToken: string, applicationId: Snowflake): Authorization | null {
    const authorization = this.#refresh.get(refreshToken)?.authorization;
    return authorization?.applicationId === applicationId ? authorization : null;
  }

  /** Uses up a refresh token; its access token stays valid until it expires. */
  spendRefresh(refreshToken: string): void {
    this.#refresh.delete(refreshToken);
  }

  /** Returns the authorization of an access or refresh token, also of expired ones. */
  authorizationOf(token: string): Authorization | null {
    return this.#access.get(token)?.authorization ?? this.#refresh.get(token)?.authorization ?? null;
  }

  /** Deletes an access token and its refresh token. Returns false when there was none. */
  revoke(token: string): boolean {
    for (const [refreshToken, { accessToken }] of this.#refresh) {
      if (accessToken === token) this.#refresh.delete(refreshToken);
    }
    return this.#access.delete(token);
  }

  revokeConsent(consent: Authorization): void {
    for (const [token, { authorization }] of this.#access) {
      if (sameConsent(authorization, consent)) this.#access.delete(token);
    }
    for (const [token, { authorization }] of this.#refresh) {
      if (sameConsent(authorization, consent)) this.#refresh.delete(token);
    }
  }

  /** Makes a token expire now. Returns false when there is none. */
  expire(token: string): boolean {
    const found = this.#access.get(token);
    if (found) this.#access.set(token, { ...found, expiresAt: this.#clock() });
    return found !== undefined;
  }
}
