import { hash } from 'node:crypto';
import { ProblemError } from '@guild-settings/contract';

/**
 * RFC 6750's b64token. What Discord's tokens look like today is not checked: it may change, and a format that is refused
 * here keeps everybody out.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** Characters of a token. A longer one is refused without a request to Discord. */
const MAX_TOKEN_LENGTH = 2_048;

/**
 * The token of an Authorization header.
 * @throws ProblemError not-authenticated where there is none, invalid-token where it does not look like one
 */
export function bearerToken(authorization: string | undefined): string {
  const [, credentials] = /^bearer(?![^ ]) *(.*)$/i.exec(authorization ?? '') ?? [];
  if (credentials === undefined) throw new ProblemError('not-authenticated');
  if (credentials.length > MAX_TOKEN_LENGTH || !TOKEN.test(credentials)) throw new ProblemError('invalid-token');
  return credentials;
}

/** A token's SHA-256, by which everything about it is remembered: the token itself is not. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}
