/** Discord says that the token is not good. */
export class TokenRejectedError extends Error {
  override readonly name = 'TokenRejectedError';
}

/**
 * How a call to Discord failed without saying whether the token is good. `refused` is a refusal of this one token for a
 * reason of its own; `overloaded` and `circuit-open` were not even asked.
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

/** Discord did not say whether the token is good. */
export class DiscordUnavailableError extends Error {
  override readonly name = 'DiscordUnavailableError';
  readonly fault: DiscordFault;
  /** Seconds until another try makes sense. */
  readonly retryAfter: number;
  /** Whether every call has to wait, and not just this token's. */
  readonly everyone: boolean;

  constructor(
    fault: DiscordFault,
    options: { readonly retryAfter?: number; readonly everyone?: boolean; readonly cause?: unknown } = {},
  ) {
    super(`Discord is unavailable: ${fault}`, { cause: options.cause });
    this.fault = fault;
    this.retryAfter = options.retryAfter ?? 1;
    this.everyone = options.everyone ?? false;
  }

  /** Whether Discord was asked at all; otherwise there was no room to ask, which says nothing of the token. */
  get wasAsked(): boolean {
    return this.fault !== 'overloaded' && this.fault !== 'circuit-open';
  }
}
