import type { Encoding, IdentifiedEvent } from '../../feed/events.ts';
import { problemFrom } from '../problems/problem-from.ts';
import { trpcErrorOf } from '../trpc/error-shape.ts';

export interface EventFormat {
  readonly name: string;
  /** Sent at once, so that the client knows that the stream is open. */
  readonly start: string;
  readonly end: string | null;
  message(event: IdentifiedEvent<{ readonly type: string }>): string;
  /** Returns the last message of a stream that cannot continue. */
  failure(error: unknown, url: string): string;
}

export function trpcFormat(path: string): EventFormat {
  return {
    name: path,
    start: 'event: connected\ndata: {}\n\n',
    end: 'event: return\ndata: \n\n',
    message: ({ id, event }) => `data: ${JSON.stringify(event)}\nid: ${id}\n\n`,
    failure: (error, url) => `event: serialized-error\ndata: ${JSON.stringify(trpcErrorOf(error, path, url))}\n\n`,
  };
}

/** Events with their types as names, as `EventSource` dispatches them. */
export const REST_FORMAT: EventFormat = {
  name: 'rest',
  start: ': open\n\n',
  end: null,
  message: ({ id, event }) => `event: ${event.type}\nid: ${id}\ndata: ${JSON.stringify(event)}\n\n`,
  failure: (error, url) => `event: problem\ndata: ${JSON.stringify(problemFrom(error).toProblem(url))}\n\n`,
};

/** An empty comment, which readers ignore. @see https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes */
const COMMENT = ':\n\n';

/** The encoding of a format: the same bytes for every connection, because a stream ends with its connection and has no chunks. */
export function encodingOf(format: EventFormat): Encoding {
  return {
    name: format.name,
    heartbeat: Buffer.from(COMMENT),
    encode: (events) => Buffer.from(events.map((event) => format.message(event)).join('')),
  };
}
