import { hash } from 'node:crypto';
import { ProblemError } from '@guild-settings/contract';

/**
 * What Discord's access tokens can look like: letters and digits, and what could join them, of a sensible length. It is
 * RFC 6750's b64token without the characters that could make a path or an expression. Anything else is refused without
 * asking Discord.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 */
const TOKEN = /^[A-Za-z0-9._~-]{20,256}$/;

/**
 * The token of an Authorization header.
 * @throws ProblemError not-authenticated where there is none, invalid-token where it does not look like one
 */
export function bearerToken(authorization: string | undefined): string {
  const bearer = /^bearer(?: +(.*))?$/i.exec(authorization ?? '');
  if (bearer === null) throw new ProblemError('not-authenticated');
  const credentials = bearer[1] ?? '';
  if (!TOKEN.test(credentials)) throw new ProblemError('invalid-token');
  return credentials;
}

/** A token's SHA-256, by which everything about it is remembered: the token itself is not. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}
