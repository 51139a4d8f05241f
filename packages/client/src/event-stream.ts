import { type Cursor, Problem, parseCursor, WatchEvent } from '@guild-settings/contract';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { z } from 'zod';
import { NetworkError, UnexpectedAnswerError } from './transport-errors.ts';

/** Something that happened, and where its watcher is after it: what to come back with. */
export interface WatchedEvent {
  readonly cursor: Cursor;
  readonly event: WatchEvent;
}

/** The service ended a watch with a failure of its catalogue. */
export class WatchRefusedError extends Error {
  override readonly name = 'WatchRefusedError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export interface EventStreamOptions {
  readonly url: string;
  readonly token: string;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds without a byte after which the stream is dead. */
  readonly silence: number;
  readonly signal: AbortSignal;
}

/** How tRPC sends an error on a stream. */
const StreamError = z.object({ data: z.object({ problem: Problem }) });

/**
 * One connection of a watch, until the service ends it.
 *
 * It throws WatchRefusedError, NetworkError, UnexpectedAnswerError, or the reason of the caller's signal.
 */
export async function* openEventStream(options: EventStreamOptions): AsyncGenerator<WatchedEvent, void> {
  const { url, token, fetch, silence, signal } = options;
  const dead = new AbortController();
  const timer = setTimeout(() => dead.abort(new Error(`nothing was heard for ${silence} ms`)), silence);
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, dead.signal]),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (!response.ok || !isStream || response.body === null) throw await unexpected(response);
    let messages: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (message) => messages.push(message) });
    const decoder = new TextDecoder();
    // Not through transform streams, of which each costs more than all the rest that is done with a change.
    for await (const chunk of response.body) {
      timer.refresh();
      parser.feed(decoder.decode(chunk, { stream: true }));
      const whole = messages;
      messages = [];
      for (const { event, id, data } of whole) {
        if (event === 'serialized-error') throw refused(data);
        if (event === 'return') return;
        const cursor = id === undefined ? undefined : parseCursor(id);
        if (event === undefined && cursor !== undefined) yield { cursor, event: WatchEvent.parse(JSON.parse(data)) };
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    const isOurs = error instanceof WatchRefusedError || error instanceof UnexpectedAnswerError;
    throw isOurs ? error : new NetworkError({ maybeSent: true, cause: dead.signal.reason ?? error });
  } finally {
    clearTimeout(timer);
  }
}

async function unexpected(response: Response): Promise<Error> {
  const problem = Problem.safeParse(await response.json().catch(() => undefined)).data;
  if (problem) return new WatchRefusedError(problem);
  return new UnexpectedAnswerError({ status: response.status, retryAfter: undefined });
}

function refused(data: string): Error {
  const { data: error } = StreamError.safeParse(JSON.parse(data));
  return error ? new WatchRefusedError(error.data.problem) : new Error('the service ended the stream with an error');
}
