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
 * Sends one HTTP request: `fetch`, or a function with this part of it. A failure of the network has the error of the connection, with
 * its code, as its cause.
 */
export type Fetch = (url: string, options: FetchOptions) => Promise<FetchedResponse>;
