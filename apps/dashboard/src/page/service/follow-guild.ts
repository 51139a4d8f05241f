import type { FollowEvent } from '@guild-settings/contract';
import { pageParameters } from './requests.ts';

/** Pauses between attempts to reconnect: the first soon, later ones rarely. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** Events of the window that cause the next attempt at once. */
const AT_ONCE = ['online', 'focus'] as const;

/**
 * Time for which a hidden page stays connected. Without HTTP/2, a browser has six connections to a server, and the
 * service allows five streams per person.
 */
const HIDDEN_MS = 10_000;

export type FollowState = 'connecting' | 'live' | 'lost';

interface FollowOptions {
  readonly guild: string;
  readonly onEvent: (event: FollowEvent) => void;
  readonly onState: (state: FollowState) => void;
  /** Called once per connection, with the tag of the service's declaration; null: no declaration. */
  readonly onDeclaration?: (tag: string | null) => void;
  /** Called when a connection was lost, before the next attempt: reads data that the events may not contain. */
  readonly onLost: () => Promise<unknown>;
  readonly signal: AbortSignal;
}

/**
 * Follows the events of a guild while the page is visible, and reconnects when the connection is lost. After a loss,
 * the missed events follow.
 */
export async function followGuild({
  guild,
  onEvent,
  onState,
  onDeclaration,
  onLost,
  signal,
}: FollowOptions): Promise<void> {
  let lastEventId: string | undefined;
  let attempts = 0;
  while (!signal.aborted) {
    await seen(signal);
    const hidden = hiddenSignal(signal);
    let isDeclared = false;
    await receiveGuildEvents({
      guild,
      lastEventId,
      signal: hidden.signal,
      onEvent(event, id) {
        if (id !== '') lastEventId = id;
        // The end follows, or the next attempt.
        if (event.type === 'ended') return;
        if (!isDeclared) onDeclaration?.(event.type === 'declaration' ? event.tag : null);
        isDeclared = true;
        // The event precedes the stream itself, which an outage may end at once.
        if (event.type === 'declaration') return;
        attempts = 0;
        onState('live');
        onEvent(event);
      },
    });
    hidden.close();
    if (signal.aborted) return;
    if (hidden.signal.aborted) continue;
    onState('lost');
    // A read may be held back while the browser considers the device offline.
    await Promise.race([onLost().catch(() => {}), pause(Number.POSITIVE_INFINITY, signal)]);
    await pause(attempts, signal);
    attempts += 1;
  }
}

function seen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState === 'hidden' && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}

/** Returns a signal that is aborted when the page has been hidden for a while, or together with another signal. */
function hiddenSignal(outer: AbortSignal): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  outer.addEventListener('abort', abort);
  if (outer.aborted) abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'hidden') timer = setTimeout(abort, HIDDEN_MS);
  };
  document.addEventListener('visibilitychange', look);
  look();
  return {
    signal: controller.signal,
    close() {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      outer.removeEventListener('abort', abort);
    },
  };
}

/**
 * Waits before the next attempt: longer each time, but only until the device is online or the window gets the focus.
 */
function pause(attempts: number, signal: AbortSignal): Promise<void> {
  const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** attempts, MAX_PAUSE_MS);
  // Randomised, so that pages that lost the same service do not reconnect at the same moment.
  const ms = longestMs * (0.5 + Math.random() / 2);
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      for (const type of AT_ONCE) window.removeEventListener(type, end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    for (const type of AT_ONCE) window.addEventListener(type, end);
    signal.addEventListener('abort', end);
  });
}

/** Longest time without an event until a stream counts as lost. The service sends one every five seconds. */
const SILENCE_MS = 20_000;

interface ConnectionOptions {
  readonly guild: string;
  /** The events after this one follow; undefined: first the complete record. */
  readonly lastEventId: string | undefined;
  readonly onEvent: (event: FollowEvent, id: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Connects to the events of a guild with the person's session. Resolves when the connection has ended, for any reason:
 * the next call is refused if the session is over.
 */
function receiveGuildEvents({ guild, lastEventId, onEvent, signal }: ConnectionOptions): Promise<void> {
  return new Promise((resolve) => {
    const query = new URLSearchParams({
      input: JSON.stringify({ guild }),
      ...(lastEventId && { lastEventId }),
      ...pageParameters(),
    });
    const source = new EventSource(`/trpc/guilds.follow?${query}`);
    let silence: ReturnType<typeof setTimeout>;
    const end = () => {
      // Otherwise the browser itself reconnects, at once and endlessly.
      source.close();
      clearTimeout(silence);
      signal.removeEventListener('abort', end);
      window.removeEventListener('offline', end);
      resolve();
    };
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE_MS);
    };
    listen();
    if (signal.aborted) return end();
    signal.addEventListener('abort', end);
    // The browser does not close the connection of an offline device.
    window.addEventListener('offline', end);
    source.addEventListener('connected', listen);
    source.addEventListener('message', ({ data, lastEventId: id }) => {
      listen();
      const event = parsed(data);
      if (isEvent(event)) onEvent(event, id);
    });
    for (const type of ['serialized-error', 'return', 'error']) source.addEventListener(type, end);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns true for an event, including unknown types, which the listener ignores. */
function isEvent(value: unknown): value is FollowEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
