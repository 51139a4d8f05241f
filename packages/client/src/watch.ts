import { setTimeout as delay } from 'node:timers/promises';
import {
  type Cursor,
  type RegisteredWatcher,
  type Shard,
  sentShards,
  WATCH_EVENT_TYPES,
} from '@guild-settings/contract';
import { type Backoff, jitteredBackoffMs } from '@guild-settings/runtime/backoff';
import { openEventStream, type WatchedEvent, WatchRefusedError } from './event-stream.ts';
import { baseUrlOf } from './fetch.ts';
import { isTokenError, type TokenSource, tokenSource } from './token-source.ts';

/** The delays of reconnects while a token is available. */
const BACKOFF: Backoff = { firstMs: 250, longestMs: 1_500 };

/** The longest wait for a token source that pauses. */
const LONGEST_TOKEN_WAIT_MS = 300_000;

export interface WatchOptions {
  /** The service's base URL, such as `http://127.0.0.1:3000`. */
  readonly url: string | URL;
  /** The application's access token, or a source of tokens such as `clientCredentials`. */
  readonly token: string | TokenSource;
  /** The cursor to resume from; the watch begins with all records unless given. */
  readonly cursor?: Cursor | undefined;
  /** Restricts the watch to the guilds of this shard. */
  readonly shard?: Shard | undefined;
  /**
   * Registers this process, so that changes are not reported as live before this process has acknowledged them. Called
   * for each connection.
   */
  readonly watcher?: (() => RegisteredWatcher) | undefined;
  /** Longest silence until a connection counts as lost, in milliseconds; 15,000 unless given. */
  readonly silenceTimeoutMs?: number;
  readonly signal: AbortSignal;
  /**
   * Called when a connection ended (undefined: the service ended it), was lost or could not be made, with the time
   * until the next attempt.
   */
  readonly onDisconnect?: (error: unknown, retryInMs: number) => void;
  /** Sends the requests instead of undici's `request`, which uses the global dispatcher like `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Watches the guilds, and yields each event with the cursor to resume from. When a connection ends, it reconnects from
 * the last cursor with a fresh token and a back-off. It only ends when the signal is aborted.
 */
export async function* watch(options: WatchOptions): AsyncGenerator<WatchedEvent, void> {
  const { silenceTimeoutMs = 15_000, signal, fetch } = options;
  const tokens = tokenSource(options.token);
  const baseUrl = baseUrlOf(options.url);
  // Loaded lazily, because callers without a watch do not need it.
  const request = fetch ?? (await import('./event-stream.ts')).requestStream;
  let { cursor } = options;
  let failures = 0;
  while (!signal.aborted) {
    let token: string | undefined;
    let failure: unknown;
    try {
      token = await tokens.get(signal);
      const url = watchUrl(baseUrl, options, cursor);
      for await (const watched of openEventStream({ baseUrl, url, token, request, silenceTimeoutMs, signal, cursor })) {
        // A connection has succeeded when the backlog is complete, not at its first event.
        if (watched.event.type === 'live') failures = 0;
        // A watch that has received nothing else starts from the beginning.
        if (watched.event.type !== 'declaration') cursor = watched.cursor;
        yield watched;
      }
    } catch (error) {
      failure = error;
      if (token !== undefined && isTokenRefused(error)) tokens.invalidate(token);
    }
    if (signal.aborted) return;
    const retryInMs = jitteredBackoffMs(failures, BACKOFF) + tokenWaitMs(failure);
    failures += 1;
    options.onDisconnect?.(failure, retryInMs);
    await delay(retryInMs, undefined, { signal }).catch(() => {});
  }
}

function watchUrl(baseUrl: string, { shard, watcher }: WatchOptions, cursor: Cursor | undefined): string {
  const registered = watcher?.();
  const input = JSON.stringify({
    cursor,
    shard,
    accepts: WATCH_EVENT_TYPES,
    ...(registered && { watcher: { ...registered, shards: sentShards(registered.shards) } }),
  });
  return `${baseUrl}/trpc/guilds.watch?input=${encodeURIComponent(input)}`;
}

function tokenWaitMs(failure: unknown): number {
  if (!isTokenError(failure)) return 0;
  return Math.min(LONGEST_TOKEN_WAIT_MS, (failure.retryAfter ?? 0) * 1_000);
}

function isTokenRefused(error: unknown): boolean {
  return error instanceof WatchRefusedError && error.problem.type === '/problems/invalid-token';
}
