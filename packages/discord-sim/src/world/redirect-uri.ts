/** The characters of a URI without a fragment: https://www.rfc-editor.org/rfc/rfc3986#appendix-A */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;

/**
 * Returns whether an application can register a redirect URI: an absolute URI without a fragment.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2
 */
export function isRegistrableUri(uri: string): boolean {
  return URI_CHARACTERS.test(uri) && URL.canParse(uri);
}

/**
 * Returns `uri` if an application can register it as a redirect URI.
 *
 * @throws {TypeError}
 */
export function registrableUri(uri: string): string {
  if (isRegistrableUri(uri)) return uri;
  throw new TypeError(`Expected an absolute redirect URI without a fragment, received ${JSON.stringify(uri)}`);
}
