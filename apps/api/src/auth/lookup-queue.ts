import { setMaxListeners } from 'node:events';
import { BulkheadRejectedError, bulkhead, TaskCancelledError, TimeoutStrategy, timeout, wrap } from 'cockatiel';
import { DiscordUnavailableError } from './discord-errors.ts';

/** Look-ups that run at once, look-ups that wait, and both of one client. */
const MAX_RUNNING = 32;
const MAX_WAITING = 1_000;
const MAX_PER_CLIENT = 256;

/** Timeout of a look-up, including the time in the queue. */
const LOOKUP_TIMEOUT_MS = 7_000;

/** Queue of token look-ups. A few run at a time, each with a timeout. */
export interface LookupQueue {
  /** @throws DiscordUnavailableError when the queue is full, the look-up timed out, or the queue was closed */
  run<T>(clientIp: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts running look-ups and rejects those that wait. */
  close(): void;
}

/** Creates an empty queue. */
export function createLookupQueue(): LookupQueue {
  const policy = wrap(timeout(LOOKUP_TIMEOUT_MS, TimeoutStrategy.Aggressive), bulkhead(MAX_RUNNING, MAX_WAITING));
  const closing = new AbortController();
  // Each look-up adds a listener.
  setMaxListeners(MAX_RUNNING + MAX_WAITING, closing.signal);
  const byClient = new Map<string, number>();
  return {
    async run(clientIp, work) {
      const others = byClient.get(clientIp) ?? 0;
      if (others >= MAX_PER_CLIENT) throw new DiscordUnavailableError('overloaded');
      byClient.set(clientIp, others + 1);
      try {
        return await policy.execute(({ signal }) => work(signal), closing.signal);
      } catch (error) {
        if (error instanceof BulkheadRejectedError) throw new DiscordUnavailableError('overloaded');
        if (error instanceof TaskCancelledError) throw new DiscordUnavailableError('timeout');
        throw error;
      } finally {
        const left = (byClient.get(clientIp) ?? 1) - 1;
        if (left > 0) byClient.set(clientIp, left);
        else byClient.delete(clientIp);
      }
    },
    close: () => closing.abort(),
  };
}
