export interface TokenSource {
  /**
   * Returns a token that is probably valid, in the form used after `Bearer`.
   * @param signal ends this caller's wait
   */
  get(signal?: AbortSignal): Promise<string>;
  /** Reports that the service rejected this token, so that `get` returns another one if possible. */
  invalidate(token: string): void;
}

/** Returns a source of tokens. A fixed token has no replacement. */
export function tokenSource(token: string | TokenSource): TokenSource {
  if (typeof token !== 'string') return token;
  return { get: async () => token, invalidate: () => {} };
}

/**
 * The cause of a missing token: Discord rejected the credentials, was unavailable, or sent a malformed response.
 */
export type TokenFault = 'refused' | 'unavailable' | 'malformed';

interface TokenErrorOptions {
  readonly status?: number | undefined;
  readonly reason?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Thrown when there is no access token, so that no request was sent to the service. Contains neither secret nor token.
 */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly fault: TokenFault;
  /** The HTTP status of Discord's response, if there was one. */
  readonly status: number | undefined;
  /** The OAuth 2.0 error code of Discord's response, such as `invalid_client`, if it had one. */
  readonly reason: string | undefined;
  /** Seconds until another token can be requested, if there is a pause. */
  readonly retryAfter: number | undefined;

  constructor(fault: TokenFault, message: string, { status, reason, retryAfter, cause }: TokenErrorOptions = {}) {
    super(message, { cause });
    this.fault = fault;
    this.status = status;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}

/**
 * Returns true for a `TokenError`, also of another copy of this package: tarballs of other packages contain copies, to
 * which a bot may pass its token source.
 */
export function isTokenError(error: unknown): error is TokenError {
  return error instanceof Error && error.name === 'TokenError' && 'fault' in error;
}
