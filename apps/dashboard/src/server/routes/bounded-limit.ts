import { ProblemError } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/**
 * Keys that a limit counts at a time: some megabytes. Beyond it, the key that was counted least recently is forgotten: a client that
 * uses more networks than this is not limited.
 */
export const MAX_KEYS = 10_000;

interface BoundedLimitOptions {
  /** The most of a key in a window. */
  readonly points: number;
  readonly windowSeconds: number;
  readonly reason?: string;
}

/** A limit for each of many keys, whose counts are kept in memory: of no more keys than `MAX_KEYS`. */
export class BoundedLimit {
  readonly #options: BoundedLimitOptions;
  readonly #counts: RateLimiterMemory;
  readonly #keys: LRUCache<string, true>;

  constructor(options: BoundedLimitOptions) {
    const { points, windowSeconds: duration } = options;
    const counts = new RateLimiterMemory({ points, duration });
    this.#options = options;
    this.#counts = counts;
    this.#keys = new LRUCache({ max: MAX_KEYS, dispose: (_counted, key) => void counts.delete(key) });
  }

  /** Counts one of a key. @throws ProblemError rate-limited */
  async spend(key: string): Promise<void> {
    this.#keys.set(key, true);
    try {
      await this.#counts.consume(key);
    } catch (error) {
      throw error instanceof RateLimiterRes ? this.#refusal(error) : error;
    }
  }

  async giveBack(key: string): Promise<void> {
    if (this.#keys.has(key)) await this.#counts.reward(key);
  }

  /** Returns how many of a key were counted in its window. */
  async spent(key: string): Promise<number> {
    return (await this.#counts.get(key))?.consumedPoints ?? 0;
  }

  /** Refuses because of what a key has spent. @throws ProblemError rate-limited */
  async refuse(key: string): Promise<never> {
    throw this.#refusal(await this.#counts.get(key));
  }

  #refusal(state: RateLimiterRes | null): ProblemError {
    const { windowSeconds, reason } = this.#options;
    // The limiter uses the wall clock. After the clock was set, the time is still at most a window.
    const retryAfter = Math.min(windowSeconds, Math.max(1, Math.ceil((state?.msBeforeNext ?? 0) / 1_000)));
    const detail = reason && `${reason} Try again in ${Math.ceil(retryAfter / 60)} minutes.`;
    return new ProblemError('rate-limited', { retryAfter, ...(detail && { detail }) });
  }
}
