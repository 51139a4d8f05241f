import { StringDecoder } from 'node:string_decoder';
import {
  type Cursor,
  type Problem,
  parseCursor,
  type RejectedRecord,
  readWatchEvent,
  type WatchEvent,
} from '@guild-settings/contract';
import { redirectText } from '@guild-settings/runtime/redirect';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { request } from 'undici';
import { z } from 'zod';
import { NetworkError, serviceAt, UnexpectedResponseError } from './fetch.ts';
import { ReceivedProblem } from './problem-of.ts';
import { isWithoutConnection } from './service-fetch.ts';

/** An event of a watch, and the cursor to resume from. */
export interface WatchedEvent {
  readonly cursor: Cursor;
  /** A `bookmark` for an event type that this version does not know. */
  readonly event: WatchEvent;
  /** Records of the event that this version cannot read and that are not in it. Absent if there are none. */
  readonly rejected?: readonly RejectedRecord[];
}

/** Thrown when the service ends a watch with a problem. */
export class WatchRefusedError extends Error {
  override readonly name = 'WatchRefusedError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export interface EventStreamOptions {
  readonly baseUrl: string;
  readonly url: string;
  readonly token: string;
  readonly request: RequestStream;
  /** Longest time without data until a connection counts as lost. */
  readonly silenceTimeoutMs: number;
  readonly signal: AbortSignal;
  /** The cursor to resume from, also used for an event without a readable cursor. */
  readonly cursor: Cursor | undefined;
}

/** The data of tRPC's error event. */
const StreamError = z.object({ data: z.object({ problem: ReceivedProblem }) });

/**
 * Connects to a watch, and yields its events until the service ends it.
 *
 * Throws WatchRefusedError, NetworkError, UnexpectedResponseError, or the reason of the caller's signal.
 */
export async function* openEventStream(options: EventStreamOptions): AsyncGenerator<WatchedEvent, void> {
  const { url, token, request, silenceTimeoutMs, signal } = options;
  let { cursor } = options;
  const dead = new AbortController();
  const timer = setTimeout(
    () => dead.abort(new Error(`nothing was received for ${silenceTimeoutMs} ms`)),
    silenceTimeoutMs,
  );
  try {
    const response = await request(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, dead.signal]),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (response.status !== 200 || !isStream || response.body === null) throw await responseErrorOf(response, options);
    let messages: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (message) => messages.push(message) });
    const decoder = new StringDecoder('utf8');
    // Without transform streams: each of them costs more than all other work for a change.
    for await (const chunk of response.body) {
      timer.refresh();
      parser.feed(decoder.write(chunk));
      const whole = messages;
      messages = [];
      for (const { event, id, data } of whole) {
        if (event === 'serialized-error') throw streamErrorOf(data);
        if (event === 'return') return;
        if (event !== undefined) continue;
        // For an id in an unknown form, the watch resumes from the last known one.
        const next = parseCursor(id ?? '') ?? cursor;
        if (next === undefined) throw new UnexpectedResponseError({ status: response.status, retryAfter: undefined });
        const received = readWatchEvent(parsed(data), next);
        // A reset may follow a declaration: the cursor of the ending history stays until then.
        if (received.event.type !== 'declaration') cursor = next;
        yield { cursor: cursor ?? next, ...received };
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    const isComplete = error instanceof WatchRefusedError || error instanceof UnexpectedResponseError;
    if (isComplete) throw error;
    throw new NetworkError({ maybeSent: !isWithoutConnection(error), cause: dead.signal.reason ?? error });
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the parsed data of an event; undefined if it is not JSON. */
function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

async function responseErrorOf(
  response: StreamResponse,
  { baseUrl, url }: Pick<EventStreamOptions, 'baseUrl' | 'url'>,
): Promise<Error> {
  const { status, headers } = response;
  const problem = ReceivedProblem.safeParse(await response.json().catch(() => undefined)).data;
  const redirect = redirectText(serviceAt(baseUrl), url, { status, location: headers.get('location') });
  if (problem && redirect === undefined) return new WatchRefusedError(problem);
  return new UnexpectedResponseError({ status, retryAfter: undefined, redirect });
}

function streamErrorOf(data: string): Error {
  const { data: error } = StreamError.safeParse(JSON.parse(data));
  return error ? new WatchRefusedError(error.data.problem) : new Error('the service ended the stream with an error');
}

/** The response to a stream request: of `fetch`, or with these parts. */
export interface StreamResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array> | null;
  json(): Promise<unknown>;
}

/** Sends the GET request for a stream, such as `fetch`. */
export type RequestStream = (
  url: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    /** Redirects are not followed, because the token would be sent to another address. */
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<StreamResponse>;

/**
 * Requests a stream with undici, on which `fetch` is built, and with its dispatcher, but without web streams, which
 * take a sixth of the time in which a change reaches the replica. docs/decisions/README.md
 */
export const requestStream: RequestStream = async (url, options) => {
  const { headers: sent, signal } = options;
  const {
    statusCode: status,
    headers,
    body,
  } = await request(url, {
    signal,
    headers: { 'user-agent': 'node', ...sent },
  });
  if (headers['content-encoding'] !== undefined) {
    // Proxies may respond with it. Only `fetch` decodes bodies.
    await body.dump();
    return fetch(url, options);
  }
  return { status, headers: headersOf(headers), body, json: () => body.json() };
};

function headersOf(received: NodeJS.Dict<string | string[]>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(received)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return headers;
}
