/**
 * Why there is no token: Discord does not accept the credentials, could not be asked, or answered something else than
 * a token.
 */
export type TokenFault = 'refused' | 'unavailable' | 'malformed';

interface TokenErrorOptions {
  readonly status?: number | undefined;
  readonly reason?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** No access token could be had, so nothing was sent to the service. Holds neither secret nor token. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly fault: TokenFault;
  /** The HTTP status of Discord's answer, if there was one. */
  readonly status: number | undefined;
  /** The OAuth 2.0 error code of Discord's answer, such as `invalid_client`, if it had one. */
  readonly reason: string | undefined;
  /** Seconds until another request for a token can be sent, if there is a pause. */
  readonly retryAfter: number | undefined;

  constructor(fault: TokenFault, message: string, { status, reason, retryAfter, cause }: TokenErrorOptions = {}) {
    super(message, { cause });
    this.fault = fault;
    this.status = status;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}
