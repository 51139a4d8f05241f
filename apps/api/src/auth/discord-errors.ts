/** Discord rejected the token. */
export class TokenRejectedError extends Error {
  override readonly name = 'TokenRejectedError';
}

/**
 * Why a request to Discord did not tell whether the token is valid. `refused`: Discord refused this token for another
 * reason; `overloaded` and `circuit-open`: no request was sent.
 */
export type DiscordFault =
  | 'network'
  | 'timeout'
  | 'status'
  | 'malformed'
  | 'refused'
  | 'rate-limited'
  | 'overloaded'
  | 'circuit-open';

/** A token could not be checked by Discord. */
export class DiscordUnavailableError extends Error {
  override readonly name = 'DiscordUnavailableError';
  readonly fault: DiscordFault;
  /** Time after which to retry, in milliseconds. */
  readonly retryAfterMs: number;
  /** Whether requests for all tokens have to wait, and not only for this one. */
  readonly isGlobal: boolean;

  constructor(
    fault: DiscordFault,
    options: { readonly retryAfterMs?: number; readonly isGlobal?: boolean; readonly cause?: unknown } = {},
  ) {
    super(`Discord is unavailable: ${fault}`, { cause: options.cause });
    this.fault = fault;
    this.retryAfterMs = options.retryAfterMs ?? 1_000;
    this.isGlobal = options.isGlobal ?? false;
  }

  /** Whole seconds after which to retry: the value of `Retry-After`. */
  get retryAfter(): number {
    return Math.max(1, Math.ceil(this.retryAfterMs / 1_000));
  }

  /** Whether a request was sent to Discord. */
  get wasRequested(): boolean {
    return this.fault !== 'overloaded' && this.fault !== 'circuit-open';
  }
}
