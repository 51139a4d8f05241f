import type { ConfiguredAddress } from '@guild-settings/runtime/redirect';

/** The options that the client passes to `fetch`. */
export interface FetchOptions {
  readonly method?: string;
  readonly headers: Headers;
  readonly body?: NonNullable<RequestInit['body']>;
  readonly redirect?: NonNullable<RequestInit['redirect']>;
  readonly signal: AbortSignal;
}

/** The part of a response that the client reads. */
export type FetchedResponse = Pick<Response, 'ok' | 'status' | 'headers' | 'text'>;

/**
 * Sends an HTTP request: `fetch`, or a compatible function. For a network failure, the cause of the error is the error
 * of the connection, with its code.
 */
export type Fetch = (url: string, options: FetchOptions) => Promise<FetchedResponse>;

/** Returns the base URL of the service, without trailing slashes. @throws TypeError when it is not absolute */
export function baseUrlOf(url: string | URL): string {
  return new URL(url).href.replace(/\/+$/, '');
}

/** Returns the URL of the service for messages: programs configure it as API_URL. */
export function serviceAt(baseUrl: string): ConfiguredAddress {
  return { of: 'the settings service', baseUrl, variable: 'API_URL' };
}

/** Thrown when the network failed before a response was received. The cause is the error of `fetch`, or of undici's `request`. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  /** True: the service may have received the request. False: a connection was not made. */
  readonly maybeSent: boolean;

  constructor(options: { readonly maybeSent: boolean; readonly cause: unknown }) {
    super(options.maybeSent ? 'Connection lost before the response' : 'No connection could be made', options);
    this.maybeSent = options.maybeSent;
  }
}

/** Thrown when a response was not received in time. The service may have processed the request. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';

  constructor(timeoutMs: number) {
    super(`No response within ${timeoutMs} ms`);
  }
}

interface UnexpectedResponse {
  readonly status: number;
  readonly retryAfter: number | undefined;
  /** The text about a redirect, if the response is one. */
  readonly redirect?: string | undefined;
}

/** Thrown when a response is not from the service, but a redirect, a proxy's error page or from another service. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  readonly status: number;
  readonly retryAfter: number | undefined;
  /** True: the URL redirects, which was not followed. The message contains the URL to use. */
  readonly isRedirect: boolean;

  constructor({ status, retryAfter, redirect }: UnexpectedResponse) {
    super(redirect ?? `Expected JSON from the service, received another response with status ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
    this.isRedirect = redirect !== undefined;
  }
}
