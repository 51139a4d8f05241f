import type { IdentifiedEvent } from '../../operations/operation.ts';
import { problemFrom } from '../problems/problem-from.ts';
import { trpcErrorOf } from '../trpc/error-shape.ts';

/** How a stream of events is written. */
export interface EventFormat {
  /** Sent at once, so that the client knows that the stream is open. */
  readonly start: string;
  /** Sent at the end; null: nothing. */
  readonly end: string | null;
  message(event: IdentifiedEvent<{ readonly type: string }>): string;
  /** Returns the last message of a stream that cannot continue. */
  failure(error: unknown, url: string): string;
}

/** The messages of a tRPC subscription. */
export function trpcFormat(path: string): EventFormat {
  return {
    start: 'event: connected\ndata: {}\n\n',
    end: 'event: return\ndata: \n\n',
    message: ({ id, event }) => `data: ${JSON.stringify(event)}\nid: ${id}\n\n`,
    failure: (error, url) => `event: serialized-error\ndata: ${JSON.stringify(trpcErrorOf(error, path, url))}\n\n`,
  };
}

/** Events with their types as names, as `EventSource` dispatches them. */
export const REST_FORMAT: EventFormat = {
  start: ': open\n\n',
  end: null,
  message: ({ id, event }) => `event: ${event.type}\nid: ${id}\ndata: ${JSON.stringify(event)}\n\n`,
  failure: (error, url) => `event: problem\ndata: ${JSON.stringify(problemFrom(error).toProblem(url))}\n\n`,
};
