import { createHash } from 'node:crypto';
import type { Snowflake } from 'discord-api-types/v10';
import type { Clock } from '../clock.ts';
import { type Authorization, sameConsent } from './consents.ts';
import { randomToken } from './snowflake.ts';

/**
 * Codes are valid for one use within 100 seconds.
 *
 * @see https://github.com/discord/discord-api-docs/issues/2526
 */
const AUTHORIZATION_CODE_SECONDS = 100;

/** The request that a code is bound to. */
export interface CodeBinding {
  readonly redirectUri: string;
  /** True: the authorization request left the redirect URI out, so that the exchange may do so, too. */
  readonly isRedirectUriImplied: boolean;
  /** The S256 challenge that the verifier of the exchange has to match; `null`: an exchange without a verifier. */
  readonly codeChallenge: string | null;
}

export interface CodeRedemption {
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

/** A verifier without a challenge is no match either: https://www.rfc-editor.org/rfc/rfc9700#section-4.8.2 */
function matchesChallenge({ codeChallenge }: CodeBinding, { codeVerifier }: CodeRedemption): boolean {
  return codeChallenge === (codeVerifier === null ? null : codeChallengeOf(codeVerifier));
}

/** 43 to 128 unreserved characters. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Returns whether a text has the form of a PKCE code verifier: https://www.rfc-editor.org/rfc/rfc7636#section-4.1 */
export function isCodeVerifier(text: string): boolean {
  return VERIFIER.test(text);
}

export function isCodeChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Returns the challenge of a verifier by the method S256: https://www.rfc-editor.org/rfc/rfc7636#section-4.2 */
export function codeChallengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
