import { setTimeout as delay } from 'node:timers/promises';
import { DiscordAPIError } from 'discord.js';

/** Milliseconds until the first and, doubling, the latest next try. */
const FIRST_RETRY = 1_000;
const LATEST_RETRY = 60_000;

export interface RetryOptions {
  /** Ends trying. */
  readonly signal: AbortSignal;
  /** Told why Discord could not be reached, and the milliseconds until the next try. */
  readonly onRetry: (error: unknown, wait: number) => void;
}

/**
 * Asks Discord until it answers.
 * @throws DiscordAPIError when it answers with a refusal, which another try would not change
 * @throws the signal's reason when that aborts
 */
export async function retry<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  { signal, onRetry }: RetryOptions,
): Promise<Answer> {
  for (let failures = 0; ; failures++) {
    signal.throwIfAborted();
    try {
      return await ask(signal);
    } catch (error) {
      if (error instanceof DiscordAPIError && error.status < 500 && error.status !== 429) throw error;
      signal.throwIfAborted();
      const wait = Math.min(LATEST_RETRY, FIRST_RETRY * 2 ** failures);
      onRetry(error, wait);
      await delay(wait, undefined, { signal }).catch(() => {});
    }
  }
}
