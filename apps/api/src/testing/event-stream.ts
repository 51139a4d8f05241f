import { type Cursor, formatCursor, type RegisteredWatcher, type Shard, WatchEvent } from '@guild-settings/contract';
import { waitUntil } from '@guild-settings/testing';
import type { z } from 'zod';

/** The raw server-sent events of a watcher. */
export interface RawWatch {
  readonly response: Response;
  readonly events: WatchEvent[];
  readonly ids: string[];
  /** Resolves when the service has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

interface WatchRequest {
  /** Sent as the id of the last event. */
  readonly cursor?: Cursor;
  /** Delays the reading. */
  readonly paused?: Promise<void>;
  readonly shard?: Shard;
  readonly watcher?: z.input<typeof RegisteredWatcher>;
  readonly accepts?: readonly string[];
  /** A field that a later client sends. */
  readonly mood?: string;
}

/** Opens a watch over HTTP and reads it, unless `paused`. */
export async function openWatch(
  url: string,
  token: string,
  { cursor, paused, ...input }: WatchRequest = {},
): Promise<RawWatch> {
  const aborter = new AbortController();
  const query = encodeURIComponent(JSON.stringify(input));
  const response = await fetch(`${url}/trpc/guilds.watch?input=${query}`, {
    headers: { authorization: `Bearer ${token}`, ...(cursor && { 'last-event-id': formatCursor(cursor) }) },
    signal: aborter.signal,
  });
  const events: WatchEvent[] = [];
  const ids: string[] = [];
  const ended = read(response, events, ids, paused).catch((error: unknown) => {
    if (!aborter.signal.aborted) throw error;
  });
  return { response, events, ids, ended, close: () => aborter.abort() };
}

/**
 * Opens a watch as the application, and closes it when it is live.
 * @throws Error when the service refuses it
 */
export async function becomeLive(api: { readonly url: string; readonly tokens: { readonly application: string } }) {
  const watch = await openWatch(api.url, api.tokens.application);
  let hasEnded = false;
  void watch.ended.finally(() => {
    hasEnded = true;
  });
  await waitUntil(() => hasEnded || watch.events.some(({ type }) => type === 'live'), {
    message: 'a watch to be live, or refused',
  });
  if (hasEnded) throw new Error('the watch was refused');
  watch.close();
}

async function read(response: Response, events: WatchEvent[], ids: string[], paused?: Promise<void>): Promise<void> {
  await paused;
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const fields = Object.fromEntries(
        message.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      );
      if (fields.id === undefined) continue;
      ids.push(fields.id);
      events.push(WatchEvent.parse(JSON.parse(fields.data ?? '')));
    }
  }
}
