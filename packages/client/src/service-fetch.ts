import { type ConfiguredAddress, redirectText } from '@guild-settings/runtime/redirect';
import type { HTTPLinkOptions } from '@trpc/client';
import type { AppRouter } from './app-router.ts';
import { DeadlineError, type Fetch, type FetchOptions, NetworkError, UnexpectedResponseError } from './fetch.ts';
import { retryAfterSeconds } from './retry-after.ts';
import type { TokenSource } from './token-source.ts';

export type LinkFetch = NonNullable<HTTPLinkOptions<AppRouter['_def']['_config']['$types']>['fetch']>;

interface SendOptions extends Omit<FetchOptions, 'headers' | 'redirect' | 'signal'> {
  readonly headers: Headers;
  readonly signal?: AbortSignal | undefined;
}

/** Sends an HTTP request, and receives the complete response. */
export type Send = (url: string, options: SendOptions) => Promise<BufferedResponse>;

export interface DeadlineFetchOptions {
  readonly fetch: Fetch;
  /** The timeout of the complete response with its body. */
  readonly timeoutMs: number;
  /** The base URL of the requests, for messages. */
  readonly address: ConfiguredAddress;
}

export interface AuthorizedFetchOptions {
  readonly send: Send;
  readonly tokens: TokenSource;
  readonly tokenTimeoutMs: number;
}

/** An HTTP response whose body was received completely: the part of a Response that tRPC's links use. */
export class BufferedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly #text: string;

  constructor({ ok, status, headers }: Pick<Response, 'ok' | 'status' | 'headers'>, text: string) {
    this.ok = ok;
    this.status = status;
    this.headers = headers;
    this.#text = text;
  }

  get retryAfter(): number | undefined {
    return retryAfterSeconds(this.headers.get('retry-after'), this.headers.get('date'));
  }

  /** @throws UnexpectedResponseError, which does not quote the body */
  async json(): Promise<unknown> {
    try {
      return JSON.parse(this.#text);
    } catch {
      throw new UnexpectedResponseError(this);
    }
  }
}

/**
 * Returns a function for tRPC's links that sends requests with a token. When the service rejects the token, and the
 * source has another, the request is sent again. This is also safe for mutations: a rejected request was not processed.
 */
export function authorizedFetch({ send, tokens, tokenTimeoutMs }: AuthorizedFetchOptions): LinkFetch {
  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    const caller = signal ?? undefined;
    const getToken = () => withDeadline(tokenTimeoutMs, caller, (end) => abortable(tokens.get(caller), end));
    const sendWith = (token: string) =>
      send(String(url), { method, headers: withToken(headers, token), ...(body != null && { body }), signal: caller });
    const token = await getToken();
    const response = await sendWith(token);
    if (!rejectsToken(response)) return response;
    tokens.invalidate(token);
    const fresh = await getToken();
    return fresh === token ? response : sendWith(fresh);
  };
}

function withToken(headers: RequestInit['headers'], token: string): Headers {
  // Checked here, because the error of Headers would quote the token.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TypeError(
      'Expected a token of printable ASCII characters without spaces, received other characters. Check the token source.',
    );
  const authorized = new Headers(headers);
  authorized.set('authorization', `Bearer ${token}`);
  return authorized;
}

/** Returns true if the response reports an invalid token (RFC 6750, section 3.1). */
function rejectsToken({ status, headers }: BufferedResponse): boolean {
  return status === 401 && /\berror="invalid_token"/.test(headers.get('www-authenticate') ?? '');
}

/**
 * Returns a function that sends requests with a deadline, without following redirects.
 *
 * It throws DeadlineError, NetworkError, UnexpectedResponseError for a redirect, or the reason of the caller's signal.
 */
export function deadlineFetch({ fetch, timeoutMs, address }: DeadlineFetchOptions): Send {
  return async (url, { signal: caller, ...options }) => {
    const response = await withDeadline(timeoutMs + preferredWaitMs(options.headers), caller, async (signal) => {
      try {
        const received = await fetch(url, { ...options, redirect: 'manual', signal });
        return new BufferedResponse(received, await received.text());
      } catch (error) {
        throw new NetworkError({ maybeSent: !isWithoutConnection(error), cause: error });
      }
    });
    const { status, headers } = response;
    const redirect = redirectText(address, url, { status, location: headers.get('location') });
    if (redirect !== undefined) throw new UnexpectedResponseError({ status, retryAfter: undefined, redirect });
    return response;
  };
}

/** Returns the time for which the service may wait before it responds, from the header `Prefer`. */
function preferredWaitMs(headers: Headers): number {
  const [, seconds = '0'] = /^wait=(\d{1,3})$/.exec(headers.get('prefer') ?? '') ?? [];
  return Number(seconds) * 1_000;
}

/** Error codes that only occur during a name look-up or a connect. */
const CONNECT_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns true if `fetch`, which has the failure as its cause, or undici's `request` has not made a connection. */
export function isWithoutConnection(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  // For a host with several IP addresses, there is an error per address.
  const failures: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return failures.every((failure) => failure instanceof Error && 'code' in failure && CONNECT_CODES.has(failure.code));
}

/**
 * Passes a signal to work, and aborts it with a DeadlineError or the reason of the caller's signal. Work that fails
 * after that rejects with the same reason. `AbortSignal.any` would take several times as long, twice per call.
 */
async function withDeadline<Result>(
  timeoutMs: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DeadlineError(timeoutMs)), timeoutMs);
  const abort = () => controller.abort(caller?.reason);
  if (caller?.aborted) abort();
  caller?.addEventListener('abort', abort, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', abort);
  }
}

/**
 * Waits for a promise until the signal is aborted, then rejects with its reason. The work behind the promise continues.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
