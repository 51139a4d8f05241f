import { setTimeout as delay } from 'node:timers/promises';
import { ExponentialBackoff, noJitterGenerator } from 'cockatiel';
import { DiscordAPIError } from 'discord.js';

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** Called with the error of a failed try and the milliseconds until the next. */
  readonly onRetry: (error: unknown, delayMs: number) => void;
}

/** Yields the milliseconds before each retry: they double up to a maximum. */
export function* retryDelays(initialDelay: number, maxDelay: number): Generator<number, never> {
  let backoff = new ExponentialBackoff({ initialDelay, maxDelay, generator: noJitterGenerator }).next();
  for (;;) {
    yield backoff.duration;
    backoff = backoff.next(undefined);
  }
}

/**
 * Sends a request to Discord until it succeeds.
 * @throws DiscordAPIError when Discord refuses the request, which a retry would not change
 * @throws the signal's reason when that aborts
 */
export async function retry<Result>(
  request: (signal: AbortSignal) => Promise<Result>,
  { signal, onRetry }: RetryOptions,
): Promise<Result> {
  const delays = retryDelays(1_000, 60_000);
  for (;;) {
    signal.throwIfAborted();
    try {
      return await request(signal);
    } catch (error) {
      if (error instanceof DiscordAPIError && error.status < 500 && error.status !== 429) throw error;
      signal.throwIfAborted();
      const delayMs = delays.next().value;
      onRetry(error, delayMs);
      await delay(delayMs, undefined, { signal }).catch(() => {});
    }
  }
}
