import type { FastifyInstance } from 'fastify';
import type { CodeBinding } from '../world/tokens.ts';

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

/** The errors of an authorization response: https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 */
export type AuthorizationErrorCode =
  | 'invalid_request'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope';

export class RedirectedRefusal extends Error {
  override readonly name = 'RedirectedRefusal';
  readonly location: string;

  constructor(redirect: Redirect, error: AuthorizationErrorCode, description: string) {
    super(description);
    this.location = responseLocation(redirect, { error, error_description: description });
  }
}

/** Redirects errors of the application, and sends other errors as text, or as `{ "message": … }` to the page's script. */
export function handleAuthorizeErrors(app: FastifyInstance): void {
  app.setErrorHandler<Error & { statusCode?: number }>((error, { method }, reply) => {
    if (error instanceof RedirectedRefusal) {
      return method === 'POST' ? reply.send({ location: error.location }) : reply.redirect(error.location);
    }
    reply.code(error.statusCode ?? 500);
    return method === 'POST'
      ? reply.send({ message: error.message })
      : reply.type('text/plain; charset=utf-8').send(error.message);
  });
}
