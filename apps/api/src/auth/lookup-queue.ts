import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { BulkheadRejectedError, bulkhead, TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';
import { DiscordUnavailableError } from './discord-errors.ts';

/** Look-ups that run at once, look-ups that wait, and both of one client. */
const MAX_RUNNING = 32;
const MAX_WAITING = 1_000;
const MAX_PER_CLIENT = 256;

/** Timeout of a look-up, including the time in the queue. */
const LOOKUP_TIMEOUT_MS = 7_000;

/** Times that one look-up waits for a rate limit of Discord's. */
const MAX_RATE_LIMIT_WAITS = 3;

/** Added to the wait, because clocks and timers differ by a few milliseconds. */
const WAIT_MARGIN_MS = 50;

/** Time that must be left for the request after a wait. */
const MIN_REQUEST_MS = 500;

/** Queue of token look-ups. A few run at a time, each with a timeout. */
export interface LookupQueue {
  /**
   * Runs a look-up. When Discord limits its rate (429), the look-up is repeated after the time that Discord states, if that
   * is within its timeout. It runs for nothing else meanwhile, so other look-ups take its place.
   * @throws DiscordUnavailableError when the queue is full, the look-up timed out, or the queue was closed
   */
  run<T>(clientIp: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts running look-ups and rejects those that wait. */
  close(): void;
}

/** Creates an empty queue. */
export function createLookupQueue(): LookupQueue {
  const deadline = timeout(LOOKUP_TIMEOUT_MS, TimeoutStrategy.Aggressive);
  const slots = bulkhead(MAX_RUNNING, MAX_WAITING);
  const closing = new AbortController();
  // Each look-up adds a listener.
  setMaxListeners(MAX_RUNNING + MAX_WAITING, closing.signal);
  const byClient = new Map<string, number>();
  let count = 0;

  /** Runs a look-up in a slot. While it waits for a rate limit, it has none. */
  async function attempt<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const endMs = performance.now() + LOOKUP_TIMEOUT_MS;
    for (let waits = 0; ; waits += 1) {
      try {
        return await slots.execute((context) => work(context.signal), signal);
      } catch (error) {
        if (!(error instanceof DiscordUnavailableError) || error.fault !== 'rate-limited') throw error;
        const waitMs = error.retryAfterMs + WAIT_MARGIN_MS;
        const isInTime = performance.now() + waitMs + MIN_REQUEST_MS <= endMs;
        if (!isInTime || waits === MAX_RATE_LIMIT_WAITS) throw error;
        await delay(waitMs, undefined, { signal }).catch(() => {
          throw error;
        });
      }
    }
  }

  return {
    async run(clientIp, work) {
      const others = byClient.get(clientIp) ?? 0;
      const isFull = count >= MAX_RUNNING + MAX_WAITING;
      if (isFull || others >= MAX_PER_CLIENT) throw new DiscordUnavailableError('overloaded');
      byClient.set(clientIp, others + 1);
      count += 1;
      try {
        return await deadline.execute(({ signal }) => attempt(work, signal), closing.signal);
      } catch (error) {
        if (error instanceof BulkheadRejectedError) throw new DiscordUnavailableError('overloaded');
        if (error instanceof TaskCancelledError) throw new DiscordUnavailableError('timeout');
        throw error;
      } finally {
        count -= 1;
        const left = (byClient.get(clientIp) ?? 1) - 1;
        if (left > 0) byClient.set(clientIp, left);
        else byClient.delete(clientIp);
      }
    },
    close: () => closing.abort(),
  };
}
