import { setMaxListeners } from 'node:events';
import { BulkheadRejectedError, bulkhead, TaskCancelledError, TimeoutStrategy, timeout, wrap } from 'cockatiel';
import { DiscordUnavailableError } from './discord-errors.ts';

/** Look-ups under way at once, how many more may wait, and how many of them for one client. */
const AT_ONCE = 32;
const WAITING = 1_000;
const PER_ADDRESS = 256;

/** How long a look-up may take, waiting included, in milliseconds. */
const DEADLINE = 7_000;

/** Lets look-ups through, a few at a time, each within a deadline. */
export interface LookupQueue {
  /** @throws DiscordUnavailableError when there is no room, it took too long, or the queue was closed */
  run<T>(address: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends what is under way and refuses what is waiting: nobody is left to hear of it. */
  close(): void;
}

/** An empty queue. */
export function createLookupQueue(): LookupQueue {
  const policy = wrap(timeout(DEADLINE, TimeoutStrategy.Aggressive), bulkhead(AT_ONCE, WAITING));
  const closing = new AbortController();
  // One listener a look-up, and there are only so many look-ups.
  setMaxListeners(AT_ONCE + WAITING, closing.signal);
  const byAddress = new Map<string, number>();
  return {
    async run(address, work) {
      const others = byAddress.get(address) ?? 0;
      if (others >= PER_ADDRESS) throw new DiscordUnavailableError('overloaded');
      byAddress.set(address, others + 1);
      try {
        return await policy.execute(({ signal }) => work(signal), closing.signal);
      } catch (error) {
        if (error instanceof BulkheadRejectedError) throw new DiscordUnavailableError('overloaded');
        if (error instanceof TaskCancelledError) throw new DiscordUnavailableError('timeout');
        throw error;
      } finally {
        const left = (byAddress.get(address) ?? 1) - 1;
        if (left > 0) byAddress.set(address, left);
        else byAddress.delete(address);
      }
    },
    close: () => closing.abort(),
  };
}
