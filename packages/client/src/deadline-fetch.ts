import { BufferedResponse } from './buffered-response.ts';
import { deadlineSignal } from './deadline-signal.ts';
import type { Fetch, FetchOptions } from './fetch.ts';
import { NetworkError } from './transport-errors.ts';

/** The options of one request. */
export interface SendOptions extends Omit<FetchOptions, 'headers' | 'signal'> {
  readonly headers?: NonNullable<RequestInit['headers']>;
  readonly signal?: AbortSignal;
}

/** Sends one HTTP request, and receives the whole response. */
export type Send = (url: string, options: SendOptions) => Promise<BufferedResponse>;

/** Options of `deadlineFetch`. */
export interface DeadlineFetchOptions {
  readonly fetch: Fetch;
  /** How long it may take to receive the whole response with its body. */
  readonly timeoutMs: number;
}

/**
 * Returns a function that sends requests with a deadline.
 *
 * It throws DeadlineError, NetworkError, or the reason of the caller's signal.
 */
export function deadlineFetch({ fetch, timeoutMs }: DeadlineFetchOptions): Send {
  return async (url, options) => {
    // Before fetch, because an invalid header is an error of the caller and not a NetworkError.
    const headers = options.headers instanceof Headers ? options.headers : new Headers(options.headers);
    const { signal, clear } = deadlineSignal(timeoutMs + preferredWaitMs(headers), options.signal);
    try {
      const response = await fetch(url, { ...options, headers, signal });
      return new BufferedResponse(response, await response.text());
    } catch (error) {
      signal.throwIfAborted();
      throw new NetworkError({ maybeSent: !isWithoutConnection(error), cause: error });
    } finally {
      clear();
    }
  };
}

/** Returns the time for which the service may wait before it responds, by the header `Prefer`. */
function preferredWaitMs(headers: Headers): number {
  const [, seconds = '0'] = /^wait=(\d{1,3})$/.exec(headers.get('prefer') ?? '') ?? [];
  return Number(seconds) * 1_000;
}

/** Error codes of a name look-up or a connect, which no later step has. */
const CONNECT_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function isWithoutConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  // A host with several IP addresses has an error for each.
  const failures: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return failures.every((failure) => failure instanceof Error && 'code' in failure && CONNECT_CODES.has(failure.code));
}
