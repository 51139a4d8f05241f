import type { Snowflake } from 'discord-api-types/v10';
import type { Clock } from '../clock.ts';
import { type Authorization, sameConsent } from './authorization.ts';
import { randomToken } from './random-token.ts';

/** 604,800 seconds, the lifetime Discord gives its access tokens. */
export const ACCESS_TOKEN_SECONDS = 604_800;

/** A token just handed out. */
export interface IssuedToken {
  readonly accessToken: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** A token just handed out in a user's name. It can be renewed. */
export interface IssuedUserToken extends IssuedToken {
  readonly refreshToken: string;
}

/** What a live access token stands for. */
export interface AccessToken {
  readonly token: string;
  readonly authorization: Authorization;
  readonly expiresAt: number;
}

/** How {@link AccessTokens.issue} may differ from a random token with Discord's lifetime. */
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

  /** Issues an access token without a refresh token. An explicit token issued again replaces the earlier one. */
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

  /** The live token of this text, or `null` when it is unknown, revoked or expired. */
  find(token: string): AccessToken | null {
    const found = this.#access.get(token);
    return found && found.expiresAt > this.#clock() ? found : null;
  }

  /** What this refresh token renews, or `null` when it is unknown, spent, or another application's. */
  findRefresh(refreshToken: string, applicationId: Snowflake): Authorization | null {
    const authorization = this.#refresh.get(refreshToken)?.authorization;
    return authorization?.applicationId === applicationId ? authorization : null;
  }

  /** Spends a refresh token; the access token it came with lives on until it expires. */
  spendRefresh(refreshToken: string): void {
    this.#refresh.delete(refreshToken);
  }

  /** The authorization behind an access or refresh token, expired ones included. */
  authorizationOf(token: string): Authorization | null {
    return this.#access.get(token)?.authorization ?? this.#refresh.get(token)?.authorization ?? null;
  }

  /** Forgets one access token and its refresh token. False when there was no such token. */
  revoke(token: string): boolean {
    for (const [refreshToken, { accessToken }] of this.#refresh) {
      if (accessToken === token) this.#refresh.delete(refreshToken);
    }
    return this.#access.delete(token);
  }

  /** Forgets every access and refresh token of one consent. */
  revokeConsent(consent: Authorization): void {
    for (const [token, { authorization }] of this.#access) {
      if (sameConsent(authorization, consent)) this.#access.delete(token);
    }
    for (const [token, { authorization }] of this.#refresh) {
      if (sameConsent(authorization, consent)) this.#refresh.delete(token);
    }
  }

  /** Moves a token's expiry to now. False when there is no such token. */
  expire(token: string): boolean {
    const found = this.#access.get(token);
    if (found) this.#access.set(token, { ...found, expiresAt: this.#clock() });
    return found !== undefined;
  }
}
