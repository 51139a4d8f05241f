import { LRUCache } from 'lru-cache';

/** The use of a client in a span of time. */
export interface Window {
  count: number;
  bytes: number;
  /** In monotonic milliseconds. */
  readonly endsAtMs: number;
}

interface WindowsOptions {
  readonly windowMs: number;
  /** Clients that are counted at a time. Beyond it, the one that was counted least recently is forgotten. */
  readonly maxClients: number;
  readonly monotonicMs: () => number;
}

/** Returns a function that returns the present window of a client. Counts are kept in memory, of a bounded number of clients. */
export function createWindows({ windowMs, maxClients, monotonicMs }: WindowsOptions): (client: string) => Window {
  // `max` would allocate room for all of them at the start.
  const windows = new LRUCache<string, Window>({ maxSize: maxClients, sizeCalculation: () => 1 });
  return (client) => {
    const known = windows.get(client);
    if (known !== undefined && known.endsAtMs > monotonicMs()) return known;
    const window = { count: 0, bytes: 0, endsAtMs: monotonicMs() + windowMs };
    windows.set(client, window);
    return window;
  };
}

/** Returns the seconds until a window ends, at least one. */
export function secondsLeft({ endsAtMs }: Window, monotonicMs: () => number): number {
  return Math.max(1, Math.ceil((endsAtMs - monotonicMs()) / 1_000));
}
