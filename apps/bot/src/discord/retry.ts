import { setTimeout as delay } from 'node:timers/promises';
import { type Backoff, backoffMs } from '@guild-settings/runtime/backoff';
import { DiscordAPIError } from 'discord.js';

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** Called with the error of a failed try and the milliseconds until the next. */
  readonly onRetry: (error: unknown, delayMs: number) => void;
}

const BACKOFF: Backoff = { firstMs: 1_000, longestMs: 60_000 };

/**
 * Sends a request to Discord until it succeeds.
 * @throws DiscordAPIError when Discord refuses the request, which a retry would not change
 * @throws the signal's reason when that aborts
 */
export async function retry<Result>(
  request: (signal: AbortSignal) => Promise<Result>,
  { signal, onRetry }: RetryOptions,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await request(signal);
    } catch (error) {
      if (error instanceof DiscordAPIError && error.status < 500 && error.status !== 429) throw error;
      signal.throwIfAborted();
      const delayMs = backoffMs(failures, BACKOFF);
      onRetry(error, delayMs);
      await delay(delayMs, undefined, { signal }).catch(() => {});
    }
  }
}
