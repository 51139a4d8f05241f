/** One way in which Discord, or the network before it, can fail. */
export type Fault =
  /** Handles the request `ms` real milliseconds after it came, with the state of that later moment. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Answers this status with a JSON error body. */
  | { readonly kind: 'status'; readonly status: number }
  /** Answers 429. */
  | { readonly kind: 'rate-limit'; readonly retryAfterSeconds: number; readonly global?: boolean }
  /** Answers a page of the CDN in front of the API; status 502 unless told. */
  | { readonly kind: 'html'; readonly status?: number }
  /** Answers with the first half of the JSON, framed as if it were whole. */
  | { readonly kind: 'truncated-json' }
  /** Answers with the right status and valid JSON of another shape. */
  | { readonly kind: 'wrong-shape' }
  /** Destroys the socket instead of answering. */
  | { readonly kind: 'close-socket' }
  /** Sends the headers and half of the body, then destroys the socket. */
  | { readonly kind: 'close-mid-body' }
  /** Never answers; the socket stays open until the simulator closes. */
  | { readonly kind: 'hang' };

/** A fault that spoils the body of an answer that is otherwise right. */
export type BodyFault = Extract<Fault, { kind: 'truncated-json' | 'wrong-shape' | 'close-mid-body' }>;

/** Which calls a fault hits. */
export interface FaultScope {
  /** Prefix of the path below `/api/v10`, such as `/users/@me`; every path when left out. */
  readonly path?: string;
  /** How many calls it hits before it is gone; all of them when left out. */
  readonly times?: number;
}
