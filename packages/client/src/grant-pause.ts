import { type Backoff, backoffMs } from '@guild-settings/runtime/backoff';
import { TokenError, type TokenFault } from './token-error.ts';

/** The growth of the pauses between failed requests. */
interface PauseGrowth extends Backoff {
  /** Failures after which the next request may follow at once. */
  readonly freeFailures: number;
}

/**
 * Credentials are rejected until a person corrects them, and rejected requests count towards Discord's ban of the IP
 * address, so these pauses grow to minutes. An outage ends by itself.
 * @see https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
const GROWTH: Readonly<Record<TokenFault, PauseGrowth>> = {
  refused: { freeFailures: 0, firstMs: 5_000, longestMs: 300_000 },
  malformed: { freeFailures: 2, firstMs: 500, longestMs: 10_000 },
  unavailable: { freeFailures: 2, firstMs: 500, longestMs: 10_000 },
};

const JITTER = 0.2;

/** The pause after failed requests for a token. While it lasts, callers receive the last failure without a request. */
export class GrantPause {
  readonly #clock: () => number;
  #failures = 0;
  #lastFault: TokenFault | undefined;
  #last: { readonly error: TokenError; readonly until: number } | undefined;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The error to throw instead of sending a request, with the seconds that are left. `undefined`: no pause. */
  get failure(): TokenError | undefined {
    if (this.#last === undefined) return undefined;
    const { error, until } = this.#last;
    const leftMs = until - this.#clock();
    if (leftMs <= 0) return undefined;
    const { fault, message, status, reason } = error;
    return new TokenError(fault, message, { status, reason, retryAfter: leftMs / 1_000, cause: error.cause });
  }

  /** Starts a pause, which Discord's `Retry-After` can prolong. Returns its length in milliseconds. */
  start(error: TokenError): number {
    this.#failures = error.fault === this.#lastFault ? this.#failures + 1 : 1;
    this.#lastFault = error.fault;
    const requestedMs = (error.retryAfter ?? 0) * 1_000;
    const pauseMs = Math.max(requestedMs, pauseAfter(this.#failures, GROWTH[error.fault]));
    this.#last = { error, until: this.#clock() + pauseMs };
    return pauseMs;
  }

  end(): void {
    this.#failures = 0;
    this.#lastFault = undefined;
    this.#last = undefined;
  }
}

function pauseAfter(failures: number, growth: PauseGrowth): number {
  const doublings = failures - growth.freeFailures - 1;
  if (doublings < 0) return 0;
  return backoffMs(doublings, growth) * (1 - JITTER * Math.random());
}
