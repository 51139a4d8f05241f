import { createHash } from 'node:crypto';
import { OAuth2Scopes, type Snowflake } from 'discord-api-types/v10';
import { type Clock, randomToken } from './snowflake.ts';

export type Scope = `${OAuth2Scopes}`;

const KNOWN: ReadonlySet<string> = new Set(Object.values(OAuth2Scopes));

/** @see https://discord.com/developers/docs/topics/oauth2#shared-resources-oauth2-scopes */
const CLIENT_CREDENTIALS_ONLY: ReadonlySet<Scope> = new Set([OAuth2Scopes.ApplicationsCommandsUpdate]);

export function isScope(name: string): name is OAuth2Scopes {
  return KNOWN.has(name);
}

/** Parses a space-separated list of scopes and removes duplicates. Returns `null` when one is unknown. */
export function readScopes(list: string): OAuth2Scopes[] | null {
  const names = [...new Set(list.split(' ').filter((name) => name !== ''))];
  return names.every(isScope) ? names : null;
}

export function isClientCredentialsOnly(scope: Scope): boolean {
  return CLIENT_CREDENTIALS_ONLY.has(scope);
}

export interface Authorization {
  readonly applicationId: Snowflake;
  /** `null` for the client credentials of an application without an owner. */
  readonly userId: Snowflake | null;
  readonly scopes: readonly OAuth2Scopes[];
  readonly grant: 'user' | 'client_credentials';
  /** True: its tokens belong to no consent, and stay valid when other tokens of the user are revoked. */
  readonly isStandalone: boolean;
}

/** Returns true if revoking a token of one authorization revokes the tokens of the other. */
function sameConsent(a: Authorization, b: Authorization): boolean {
  if (a.isStandalone || b.isStandalone) return a === b;
  return a.applicationId === b.applicationId && a.userId === b.userId && a.grant === b.grant;
}

export interface Consent {
  readonly applicationId: Snowflake;
  readonly userId: Snowflake;
  readonly scopes: readonly OAuth2Scopes[];
}

export class Consents {
  readonly #scopes = new Map<string, ReadonlySet<OAuth2Scopes>>();

  give({ scopes, ...parties }: Consent): void {
    this.#scopes.set(keyOf(parties), new Set([...this.#given(parties), ...scopes]));
  }

  covers({ scopes, ...parties }: Consent): boolean {
    const given = this.#given(parties);
    return given.size > 0 && scopes.every((scope) => given.has(scope));
  }

  withdraw(parties: Omit<Consent, 'scopes'>): void {
    this.#scopes.delete(keyOf(parties));
  }

  #given(parties: Omit<Consent, 'scopes'>): ReadonlySet<OAuth2Scopes> {
    return this.#scopes.get(keyOf(parties)) ?? new Set();
  }
}

function keyOf({ applicationId, userId }: Omit<Consent, 'scopes'>): string {
  return `${applicationId} ${userId}`;
}

/** 604,800 seconds, the lifetime of Discord's access tokens. */
export const ACCESS_TOKEN_SECONDS = 604_800;

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresAt: number;
}

export interface IssuedUserToken extends IssuedToken {
  readonly refreshToken: string;
}

export interface AccessToken {
  readonly token: string;
  readonly authorization: Authorization;
  readonly expiresAt: number;
}

/** Options of {@link AccessTokens.issue}; a random token with Discord's lifetime unless given. */
interface IssueOptions {
  readonly token?: string | undefined;
  readonly expiresInSeconds?: number | undefined;
}

export class AccessTokens {
  readonly #clock: Clock;
  readonly #access = new Map<string, AccessToken>();
  readonly #refresh = new Map<string, { authorization: Authorization; accessToken: string }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Issues an access token without a refresh token. Replaces an existing token with the same text. */
  issue(authorization: Authorization, { token, expiresInSeconds }: IssueOptions = {}): IssuedToken {
    const accessToken = token ?? randomToken();
    const expiresAt = this.#clock() + (expiresInSeconds ?? ACCESS_TOKEN_SECONDS) * 1000;
    this.#access.set(accessToken, { token: accessToken, authorization, expiresAt });
    return { accessToken, expiresAt };
  }

  issueRenewable(authorization: Authorization, options: IssueOptions = {}): IssuedUserToken {
    const issued = this.issue(authorization, options);
    const refreshToken = randomToken();
    this.#refresh.set(refreshToken, { authorization, accessToken: issued.accessToken });
    return { ...issued, refreshToken };
  }

  /** Returns the valid token with this text; `null` when it is unknown, revoked or expired. */
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

  /** Returns the authorization of an access or refresh token, even if expired. */
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

/**
 * Codes are valid for one use within 100 seconds.
 *
 * @see https://github.com/discord/discord-api-docs/issues/2526
 */
const AUTHORIZATION_CODE_SECONDS = 100;

export interface CodeBinding {
  readonly redirectUri: string;
  /** True: the authorization request omitted the redirect URI, so the exchange may omit it as well. */
  readonly isRedirectUriImplied: boolean;
  /** The S256 challenge that the verifier of the exchange has to match; `null`: an exchange without a verifier. */
  readonly codeChallenge: string | null;
}

interface CodeRedemption {
  readonly code: string;
  readonly applicationId: Snowflake;
  readonly redirectUri: string | null;
  readonly codeVerifier: string | null;
}

interface PendingCode extends CodeBinding {
  readonly authorization: Authorization;
  readonly expiresAt: number;
}

export class AuthorizationCodes {
  readonly #clock: Clock;
  readonly #pending = new Map<string, PendingCode>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(authorization: Authorization, binding: CodeBinding): string {
    const code = randomToken();
    const expiresAt = this.#clock() + AUTHORIZATION_CODE_SECONDS * 1000;
    this.#pending.set(code, { ...binding, authorization, expiresAt });
    return code;
  }

  /** Uses up a code; returns its authorization, or the parameter that does not match. */
  redeem(redemption: CodeRedemption): Authorization | 'code' | 'redirect_uri' | 'code_verifier' {
    const pending = this.#pending.get(redemption.code);
    if (!pending || pending.authorization.applicationId !== redemption.applicationId) return 'code';
    this.#pending.delete(redemption.code);
    if (pending.expiresAt <= this.#clock()) return 'code';
    if (!matchesRedirectUri(pending, redemption)) return 'redirect_uri';
    return matchesChallenge(pending, redemption) ? pending.authorization : 'code_verifier';
  }

  revokeConsent(consent: Authorization): void {
    for (const [code, { authorization }] of this.#pending) {
      if (sameConsent(authorization, consent)) this.#pending.delete(code);
    }
  }
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3 */
function matchesRedirectUri(pending: CodeBinding, { redirectUri }: CodeRedemption): boolean {
  return redirectUri === null ? pending.isRedirectUriImplied : redirectUri === pending.redirectUri;
}

/** A verifier without a challenge does not match either: https://www.rfc-editor.org/rfc/rfc9700#section-4.8.2 */
function matchesChallenge({ codeChallenge }: CodeBinding, { codeVerifier }: CodeRedemption): boolean {
  return codeChallenge === (codeVerifier === null ? null : codeChallengeOf(codeVerifier));
}

/** Returns true if a text has the form of a PKCE code verifier: https://www.rfc-editor.org/rfc/rfc7636#section-4.1 */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text);
}

export function isCodeChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Returns the challenge of a verifier by the method S256: https://www.rfc-editor.org/rfc/rfc7636#section-4.2 */
export function codeChallengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
