import type { CodeBinding } from '../world/authorization-codes.ts';

/** Where the response to an authorization request goes. */
export interface Redirect extends Pick<CodeBinding, 'redirectUri' | 'isRedirectUriImplied'> {
  /** The client's own value, returned unchanged; `null` when it sent none. */
  readonly state: string | null;
  /** The URL of this server, as its metadata names it. */
  readonly issuer: string;
}

/**
 * Returns the redirect URI with the parameters of a response added to its query.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2
 * @see https://www.rfc-editor.org/rfc/rfc9207#section-2
 */
export function responseLocation(redirect: Redirect, parameters: Readonly<Record<string, string>>): string {
  const { redirectUri, state, issuer } = redirect;
  const query = new URLSearchParams({ ...parameters, ...(state !== null && { state }), iss: issuer });
  // The text of the registered URI stays as it is: parsing it would normalise it.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}
