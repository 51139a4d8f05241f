import {
  type Acknowledgement,
  type Cursor,
  type FollowEvent,
  formatCursor,
  parseCursor,
  type RegisteredWatcher,
  type Shard,
  WatchEvent,
  type Watcher,
} from '@guild-settings/contract';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { TestApi } from './api.ts';
import { IDS } from './people.ts';
import { waitUntil } from './time.ts';

/** A server-sent event: its text, and its fields. */
export interface Message {
  readonly text: string;
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
}

/** Returns a function that receives the parts of a stream's text, and calls back with each complete message. */
export function messageReader(receive: (message: Message) => void): (part: string) => void {
  let text = '';
  return (part) => {
    const messages = (text + part).split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const fields = Object.fromEntries(message.split('\n').map((line) => line.split(/: (.*)/s)));
      // A message without data is a comment.
      if (fields.data !== undefined) receive({ text: message, ...fields });
    }
  };
}

export interface EventStream<Event> {
  readonly response: Response;
  readonly events: Event[];
  readonly ids: string[];
  /** The events as they were sent. */
  readonly texts: string[];
  /** Resolves when the service has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
}
export type RawWatch = EventStream<WatchEvent>;
export type Followed = EventStream<FollowEvent>;

interface StreamOptions<Event> {
  readonly token: string;
  readonly lastEventId?: string | undefined;
  readonly paused?: Promise<void> | undefined;
  /** Undefined: the message is ignored. */
  readonly parse: (message: Message) => Event | undefined;
}

/** Opens a stream of events and reads it, unless `paused`. */
export async function openEvents<Event>(url: string, options: StreamOptions<Event>): Promise<EventStream<Event>> {
  const { token, lastEventId, paused, parse } = options;
  const aborter = new AbortController();
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: aborter.signal,
  });
  const received = { events: [] as Event[], ids: [] as string[], texts: [] as string[] };
  const take = messageReader((message) => {
    const event = parse(message);
    if (event === undefined) return;
    received.events.push(event);
    received.ids.push(message.id ?? '');
    received.texts.push(message.text);
  });
  const read = async () => {
    await paused;
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) take(part);
  };
  const ended = read().catch((error: unknown) => {
    if (!aborter.signal.aborted) throw error;
  });
  return { response, ...received, ended, close: () => aborter.abort() };
}

interface WatchRequest {
  /** Sent as the id of the last event. */
  readonly cursor?: Cursor | undefined;
  readonly paused?: Promise<void>;
  readonly shard?: Shard;
  readonly watcher?: z.input<typeof RegisteredWatcher>;
  readonly accepts?: readonly string[];
  /** A field of a later client. */
  readonly mood?: string;
}

export function openWatch(url: string, token: string, request: WatchRequest = {}): Promise<RawWatch> {
  const { cursor, paused, ...input } = request;
  return openEvents(`${url}/trpc/guilds.watch?input=${encodeURIComponent(JSON.stringify(input))}`, {
    token,
    lastEventId: cursor && formatCursor(cursor),
    paused,
    // tRPC has its own messages without an id.
    parse: ({ data, id }) => (id === undefined ? undefined : WatchEvent.parse(JSON.parse(data))),
  });
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

/** A watcher like a bot's process. It acknowledges when the test requests it. */
export interface TestWatcher extends RawWatch {
  readonly watcher: Watcher;
  /** Acknowledges the received events, or the given cursor. */
  acknowledge(fields?: Partial<Pick<Acknowledgement, 'cursor' | 'rejected' | 'leaves'>>): Promise<Response>;
}

let ids = 0;

/** Opens the stream of a watcher, and waits until it is live. */
export async function openTestWatcher(
  api: TestApi,
  { cursor: from, ...given }: Partial<Watcher> & { cursor?: Cursor } = {},
): Promise<TestWatcher> {
  ids += 1;
  const watcher = { id: `watcher-${ids}`, name: `bot-${ids}`, shards: [{ id: 0, count: 1 }], ...given };
  const registered = { ...watcher, ...(from && { acknowledged: from }) };
  const watch = await openWatch(api.url, api.tokens.application, { watcher: registered, cursor: from });
  // The service may stop first.
  watch.ended.catch(() => {});
  await waitUntil(() => watch.events.at(-1)?.type === 'live');
  return {
    ...watch,
    watcher,
    acknowledge({ cursor = parseCursor(watch.ids.at(-1) ?? ''), ...fields } = {}) {
      const { shards, ...identity } = watcher;
      const body = { watcher: identity, shards, cursor, ...fields };
      return api.send('/trpc/guilds.acknowledge', { method: 'POST', token: api.tokens.application, body });
    },
  };
}

interface FollowOptions {
  readonly token?: string;
  readonly lastEventId?: string | undefined;
  readonly guild?: string;
}

/** Opens the events of a guild over REST, as the manager unless another token is given. Checks each against the OpenAPI document. */
export function follow(
  api: TestApi,
  { token = api.tokens.manager, guild = IDS.guild, lastEventId }: FollowOptions = {},
): Promise<Followed> {
  const parse = ({ data, event: name }: Message) => {
    const event = JSON.parse(data) as FollowEvent;
    api.checkFollowEvent(event);
    expect(name).toBe(event.type);
    return event;
  };
  return openEvents(`${api.url}/guilds/${guild}/events`, { token, lastEventId, parse });
}

export const typesOf = ({ events }: Followed) => events.map(({ type }) => type);
export const ofType = <Type extends FollowEvent['type']>({ events }: Followed, type: Type) =>
  events.filter((event): event is Extract<FollowEvent, { type: Type }> => event.type === type);
