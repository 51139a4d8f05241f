import { Answer } from './buffered-response.ts';
import { DeadlineError, NetworkError } from './transport-errors.ts';

/** The part of fetch's options that is used here. */
export interface SendOptions {
  readonly method?: string;
  readonly headers?: NonNullable<RequestInit['headers']>;
  readonly body?: NonNullable<RequestInit['body']>;
  readonly redirect?: NonNullable<RequestInit['redirect']>;
  readonly signal?: AbortSignal;
}

/** One HTTP try. */
export type Send = (url: string, options: SendOptions) => Promise<Answer>;

export interface DeadlineFetchOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds until the whole answer must be there, body and all. */
  readonly timeout: number;
}

/**
 * Makes fetch keep to a deadline.
 *
 * It throws DeadlineError, NetworkError, or the reason of the caller's own signal.
 */
export function deadlineFetch({ fetch, timeout }: DeadlineFetchOptions): Send {
  return async (url, options) => {
    // A header that cannot be sent is the caller's mistake, so it must not look like the network's.
    const headers = new Headers(options.headers);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new DeadlineError(timeout)), timeout);
    const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal;
    try {
      const response = await fetch(url, { ...options, headers, signal });
      return new Answer(response, await response.text());
    } catch (error) {
      signal.throwIfAborted();
      throw new NetworkError({ maybeSent: !isWithoutConnection(error), cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

/** What a name look-up or a connect fails with, and nothing that comes later. */
const CONNECT_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function isWithoutConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  // A name with several addresses fails with an error for each.
  const failures: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return failures.every((failure) => failure instanceof Error && 'code' in failure && CONNECT_CODES.has(failure.code));
}
