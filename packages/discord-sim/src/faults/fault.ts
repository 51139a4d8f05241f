/** A failure of Discord or of the network. */
export type Fault =
  /** Handles the request `ms` real milliseconds after its arrival, with the state of that moment. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Responds with this status and a JSON error body. */
  | { readonly kind: 'status'; readonly status: number }
  /** Responds with 429. */
  | { readonly kind: 'rate-limit'; readonly retryAfterSeconds: number; readonly global?: boolean }
  /** Responds with an HTML page of the CDN; status 502 unless given. */
  | { readonly kind: 'html'; readonly status?: number }
  /** Responds with the first half of the JSON, with a matching content length. */
  | { readonly kind: 'truncated-json' }
  /** Responds with the right status and JSON of another shape. */
  | { readonly kind: 'wrong-shape' }
  /** Destroys the socket without a response. */
  | { readonly kind: 'close-socket' }
  /** Sends the headers and half of the body, then destroys the socket. */
  | { readonly kind: 'close-mid-body' }
  /** Never responds; the socket stays open until the simulator closes. */
  | { readonly kind: 'hang' };

/** A fault that changes the body of a response. */
export type BodyFault = Extract<Fault, { kind: 'truncated-json' | 'wrong-shape' | 'close-mid-body' }>;

/** The calls that a fault applies to. */
export interface FaultScope {
  /** Prefix of the path below `/api/v10`, such as `/users/@me`; every path unless given. */
  readonly path?: string;
  /** The number of calls until the fault is removed; unlimited unless given. */
  readonly times?: number;
}
