import { ProblemError } from '@guild-settings/contract';

/**
 * The b64token of RFC 6750. The format that Discord's tokens have today is not required: Discord may change it.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** Characters of a token. A longer one is refused without a request to Discord. */
const MAX_TOKEN_LENGTH = 2_048;

/**
 * Returns the token of an Authorization header.
 * @throws ProblemError not-authenticated without a bearer token, invalid-token for a malformed one
 */
export function bearerToken(authorization: string | undefined): string {
  const [, credentials] = /^bearer(?![^ ]) *(.*)$/i.exec(authorization ?? '') ?? [];
  if (credentials === undefined) throw new ProblemError('not-authenticated');
  if (credentials.length > MAX_TOKEN_LENGTH || !TOKEN.test(credentials)) throw new ProblemError('invalid-token');
  return credentials;
}
