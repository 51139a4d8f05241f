/** The growth of delays between failures: each may be twice as long as the previous one. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Returns the delay after a number of doublings, without jitter. */
export function backoffMs(doublings: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(longestMs, firstMs * 2 ** doublings);
}

/**
 * Returns a random part of the delay after a number of doublings, so that callers that failed together do not retry together.
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ (full jitter)
 */
export function jitteredBackoffMs(doublings: number, backoff: Backoff, random = Math.random): number {
  return random() * backoffMs(doublings, backoff);
}
