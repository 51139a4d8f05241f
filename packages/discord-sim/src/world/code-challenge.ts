import { createHash } from 'node:crypto';

/** 43 to 128 unreserved characters. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** A SHA-256 hash in base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Returns whether a text has the form of a PKCE code verifier: https://www.rfc-editor.org/rfc/rfc7636#section-4.1 */
export function isCodeVerifier(text: string): boolean {
  return VERIFIER.test(text);
}

/** Returns whether a text has the form of a PKCE code challenge of the method S256. */
export function isCodeChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Returns the challenge of a verifier by the method S256: https://www.rfc-editor.org/rfc/rfc7636#section-4.2 */
export function codeChallengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
