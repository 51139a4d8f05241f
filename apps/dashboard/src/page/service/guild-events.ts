import type { FollowEvent } from '@guild-settings/contract';
import { pageParameters } from './page-headers.ts';

/** The longest time without an event until a stream counts as lost. The service sends one every five seconds. */
const SILENCE_MS = 20_000;

export interface ConnectionOptions {
  readonly guild: string;
  /** The events after this one follow; undefined: the whole record first. */
  readonly lastEventId: string | undefined;
  readonly onEvent: (event: FollowEvent, id: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Connects to the events of a guild with the person's session. Resolves when the connection has ended, for whatever reason: a call
 * after it is refused where the session is over.
 */
export function receiveGuildEvents({ guild, lastEventId, onEvent, signal }: ConnectionOptions): Promise<void> {
  return new Promise((resolve) => {
    const query = new URLSearchParams({
      input: JSON.stringify({ guild }),
      ...(lastEventId && { lastEventId }),
      ...pageParameters(),
    });
    const source = new EventSource(`/trpc/guilds.follow?${query}`);
    let silence: ReturnType<typeof setTimeout>;
    const end = () => {
      // Otherwise the browser connects again by itself, at once and for ever.
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
    // The browser does not close a connection whose device is offline.
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

/** Returns true for an event. One of a type that this version does not know is passed on, too, and ignored there. */
function isEvent(value: unknown): value is FollowEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
