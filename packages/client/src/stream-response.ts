/** The response to the request for a stream: that of `fetch`, or one with these parts. */
export interface StreamResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Reads the whole body as JSON. */
  json(): Promise<unknown>;
}

/** Sends the GET request for a stream, such as `fetch`. */
export type RequestStream = (
  url: string,
  options: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) => Promise<StreamResponse>;
