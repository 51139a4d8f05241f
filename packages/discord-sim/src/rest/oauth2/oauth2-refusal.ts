/** The errors of the token endpoint: https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
export type OAuth2ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_scope';

/** An OAuth2 error. Thrown by the token routes, sent by the error handler. */
export class OAuth2Refusal extends Error {
  override readonly name = 'OAuth2Refusal';
  readonly status: 400 | 401;
  readonly body: { readonly error: OAuth2ErrorCode; readonly error_description?: string };

  /** Discord has descriptions for all errors but `invalid_client`. */
  constructor(error: OAuth2ErrorCode, description?: string) {
    super(description ?? error);
    this.status = error === 'invalid_client' ? 401 : 400;
    this.body = description === undefined ? { error } : { error, error_description: description };
  }
}
