/** Milliseconds within which the first retry comes; each one later has twice as long. */
const BASE = 100;
const LONGEST = 2_000;

/** The longest that a Retry-After is waited for, in seconds: beyond that the caller decides. */
const PATIENCE = 10;

/**
 * Milliseconds to wait before a retry: at least what the service asked for, or a random part of a doubling time (full
 * jitter), so that those who failed together do not come back together. Undefined when the service asks for too much:
 * coming earlier would be in vain.
 * @param attempt 0 before the first retry
 * @param requested the seconds that the service asked for
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function backoff(attempt: number, requested: number | undefined, random = Math.random): number | undefined {
  if (requested !== undefined) return requested > PATIENCE ? undefined : requested * 1_000 + random() * BASE;
  return random() * Math.min(LONGEST, BASE * 2 ** attempt);
}
