/**
 * Why there is no token: Discord does not accept the credentials, could not be asked, or answered something else than
 * a token.
 */
export type TokenFault = 'refused' | 'unavailable' | 'malformed';

interface TokenErrorOptions {
  readonly status?: number;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** No access token could be had, so nothing was sent to the service. Holds neither secret nor token. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly fault: TokenFault;
  /** The HTTP status of Discord's answer, if there was one. */
  readonly status: number | undefined;
  /** Seconds that Discord asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(fault: TokenFault, message: string, { status, retryAfter, cause }: TokenErrorOptions = {}) {
    super(message, { cause });
    this.fault = fault;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
