import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { BulkheadRejectedError, bulkhead, TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';
import { DiscordUnavailableError } from './discord-errors.ts';
import { InProgress } from './in-progress.ts';

interface LookupLimits {
  readonly running: number;
  readonly waiting: number;
  readonly perCaller: number;
}

const TOKEN_CHECKS: LookupLimits = { running: 32, waiting: 1_000, perCaller: 256 };

const LOOKUP_TIMEOUT_MS = 7_000;

const MAX_RATE_LIMIT_WAITS = 3;

/** Added to the wait, because clocks and timers differ by a few milliseconds. */
const WAIT_MARGIN_MS = 50;

/** Time that must be left for the request after a wait. */
const MIN_REQUEST_MS = 500;

/** Queue of look-ups at Discord. A few run at a time, each with a timeout. */
export interface LookupQueue {
  /**
   * Runs a look-up. When Discord limits its rate (429), the look-up is repeated after the time that Discord states, if that
   * is within its timeout. It runs for nothing else meanwhile, so other look-ups take its place.
   * @param caller whose look-ups are limited; undefined: only those of all callers are
   * @throws DiscordUnavailableError when the queue is full, the look-up timed out, or the queue was closed
   */
  run<T>(caller: string | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  close(): void;
}

export function createLookupQueue({ running, waiting, perCaller }: LookupLimits = TOKEN_CHECKS): LookupQueue {
  const deadline = timeout(LOOKUP_TIMEOUT_MS, TimeoutStrategy.Aggressive);
  const slots = bulkhead(running, waiting);
  const closing = new AbortController();
  // Each look-up adds a listener.
  setMaxListeners(running + waiting, closing.signal);
  const lookups = new InProgress({
    perPerson: perCaller,
    ofAll: running + waiting,
    refusal: () => new DiscordUnavailableError('overloaded'),
  });

  /** Runs a look-up in a slot. While it waits for a rate limit, it has none. */
  async function attempt<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const endMs = performance.now() + LOOKUP_TIMEOUT_MS;
    for (let waits = 0; ; waits += 1) {
      try {
        // Not given to the bulkhead, which would not begin the next one in place of one that was aborted while it waited.
        return await slots.execute(() => {
          if (signal.aborted) throw new TaskCancelledError();
          return work(signal);
        });
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
    async run(caller, work) {
      const end = lookups.begin(caller);
      try {
        return await deadline.execute(({ signal }) => attempt(work, signal), closing.signal);
      } catch (error) {
        if (error instanceof BulkheadRejectedError) throw new DiscordUnavailableError('overloaded');
        if (error instanceof TaskCancelledError) throw new DiscordUnavailableError('timeout');
        throw error;
      } finally {
        end();
      }
    },
    close: () => closing.abort(),
  };
}
