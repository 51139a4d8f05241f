export class TokenRejectedError extends Error {
  override readonly name = 'TokenRejectedError';
}

/**
 * The reason why a request to Discord did not show whether the token is valid. `refused`: Discord refused this token
 * for another reason; `overloaded` and `circuit-open`: no request was sent.
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

interface DiscordFailure {
  readonly retryAfterMs?: number;
  readonly isGlobal?: boolean;
  readonly status?: number;
  readonly cause?: unknown;
}

/** Discord did not respond as expected: a token could not be checked, or a guild not be read. */
export class DiscordUnavailableError extends Error {
  override readonly name = 'DiscordUnavailableError';
  readonly fault: DiscordFault;
  readonly retryAfterMs: number;
  readonly isGlobal: boolean;
  readonly status: number | undefined;

  constructor(fault: DiscordFault, options: DiscordFailure = {}) {
    super(`Discord is unavailable: ${fault}`, { cause: options.cause });
    this.fault = fault;
    this.retryAfterMs = options.retryAfterMs ?? 1_000;
    this.isGlobal = options.isGlobal ?? false;
    this.status = options.status;
  }

  get retryAfter(): number {
    return Math.max(1, Math.ceil(this.retryAfterMs / 1_000));
  }

  get wasRequested(): boolean {
    return this.fault !== 'overloaded' && this.fault !== 'circuit-open';
  }
}
