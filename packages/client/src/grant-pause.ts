import { TokenError, type TokenFault } from './token-error.ts';

/** How the pauses between failed requests grow. */
interface PauseGrowth {
  /** Failures after which the next request may follow at once. */
  readonly freeFailures: number;
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * A refusal lasts until a person corrects the secret, and refused requests count towards Discord's ban of the address, so
 * its pauses grow to minutes. An outage ends by itself.
 * @see https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
const GROWTH: Readonly<Record<TokenFault, PauseGrowth>> = {
  refused: { freeFailures: 0, firstMs: 5_000, longestMs: 300_000 },
  malformed: { freeFailures: 2, firstMs: 500, longestMs: 10_000 },
  unavailable: { freeFailures: 2, firstMs: 500, longestMs: 10_000 },
};

/** The part of a pause that is random, so that processes that failed together do not return together. */
const JITTER = 0.2;

/** The pause after failed requests for a token. While it lasts, callers receive the last failure without a request. */
export class GrantPause {
  readonly #clock: () => number;
  #failures = 0;
  #lastFault: TokenFault | undefined;
  #last: { readonly error: TokenError; readonly until: number } | undefined;

  /** @param clock milliseconds that only grow */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The failure to report instead of sending a request, with the seconds that are left. `undefined`: no pause. */
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

  /** A request has succeeded. */
  end(): void {
    this.#failures = 0;
    this.#lastFault = undefined;
    this.#last = undefined;
  }
}

function pauseAfter(failures: number, { freeFailures, firstMs, longestMs }: PauseGrowth): number {
  const doublings = failures - freeFailures - 1;
  if (doublings < 0) return 0;
  return Math.min(longestMs, firstMs * 2 ** doublings) * (1 - JITTER * Math.random());
}
