import { setTimeout as delay } from 'node:timers/promises';
import type { Cursor, Shard } from '@guild-settings/contract';
import { openEventStream, type WatchedEvent, WatchRefusedError } from './event-stream.ts';
import { TokenError } from './token-error.ts';
import { fixedToken, type TokenSource } from './token-source.ts';

/** Milliseconds within which the first reconnect comes, and the most that a later one waits while there is a token. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 1_500;

/** The longest wait for a token source that pauses, in milliseconds. */
const LONGEST_TOKEN_WAIT = 300_000;

export interface WatchOptions {
  /** The service's base address, such as `http://127.0.0.1:3000`. */
  readonly url: string | URL;
  /** The application's access token, or a source of them such as clientCredentials. */
  readonly token: string | TokenSource;
  /** From where on; from the beginning unless given. */
  readonly cursor?: Cursor | undefined;
  /** Only the guilds of this shard. */
  readonly shard?: Shard | undefined;
  /** Milliseconds without a sign of life after which a connection is dead; 15,000 unless given. */
  readonly silence?: number;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /**
   * Called when a connection ended (undefined: the service ended it), was lost or could not be made, with the
   * milliseconds until the next try.
   */
  readonly onDisconnect?: (error: unknown, wait: number) => void;
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Follows what happens to guilds, for ever: each event comes with the cursor to come back with. Reconnects from where it
 * was, with a fresh token, after a random part of a doubling time; it ends when the signal aborts, and for no other reason.
 */
export async function* watch(options: WatchOptions): AsyncGenerator<WatchedEvent, void> {
  const { silence = 15_000, signal, fetch = globalThis.fetch } = options;
  const tokens = typeof options.token === 'string' ? fixedToken(options.token) : options.token;
  let { cursor } = options;
  let failures = 0;
  while (!signal.aborted) {
    let token: string | undefined;
    let failure: unknown;
    try {
      token = await tokens.get(signal);
      const url = watchAddress(options, cursor);
      for await (const watched of openEventStream({ url, token, fetch, silence, signal })) {
        // A connection is good when the backlog is through, not as soon as something came.
        if (watched.event.type === 'live') failures = 0;
        cursor = watched.cursor;
        yield watched;
      }
    } catch (error) {
      failure = error;
      if (token !== undefined && isTokenRefused(error)) tokens.invalidate(token);
    }
    if (signal.aborted) return;
    const wait = Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures) + tokenWait(failure);
    failures += 1;
    options.onDisconnect?.(failure, wait);
    await delay(wait, undefined, { signal }).catch(() => {});
  }
}

function watchAddress({ url, shard }: WatchOptions, cursor: Cursor | undefined): string {
  const input = JSON.stringify({ cursor, shard });
  return `${new URL(url).href.replace(/\/+$/, '')}/trpc/guilds.watch?input=${encodeURIComponent(input)}`;
}

/** How long the token source sends no request, in milliseconds. */
function tokenWait(failure: unknown): number {
  if (!(failure instanceof TokenError)) return 0;
  return Math.min(LONGEST_TOKEN_WAIT, (failure.retryAfter ?? 0) * 1_000);
}

function isTokenRefused(error: unknown): boolean {
  return error instanceof WatchRefusedError && error.problem.type === '/problems/invalid-token';
}
