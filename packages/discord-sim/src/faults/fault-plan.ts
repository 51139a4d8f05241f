/** A failure of Discord or of the network. */
export type Fault =
  /** Handles the request `ms` real milliseconds after its arrival, with the state of that moment. */
  | { readonly kind: 'latency'; readonly ms: number }
  | { readonly kind: 'status'; readonly status: number }
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

export type BodyFault = Extract<Fault, { kind: 'truncated-json' | 'wrong-shape' | 'close-mid-body' }>;

/** The calls that a fault applies to. */
export interface FaultScope {
  /** Prefix of the path below `/api/v10`, such as `/users/@me`; every path unless given. */
  readonly path?: string;
  /** The number of calls until the fault is removed; unlimited unless given. */
  readonly times?: number;
}

/** Planned faults, at most one per path prefix. The longest matching prefix of a call wins. */
export class FaultPlan {
  readonly #planned = new Map<string, { readonly fault: Fault; remaining: number }>();

  /** Plans a fault, replacing that of the same prefix; `null` removes it. */
  set(fault: Fault | null, { path = '', times = Number.POSITIVE_INFINITY }: FaultScope = {}): void {
    if (fault && times > 0) this.#planned.set(path, { fault, remaining: times });
    else this.#planned.delete(path);
  }

  clear(): void {
    this.#planned.clear();
  }

  /**
   * Returns the fault for a call to this path, and counts the call.
   *
   * @internal
   */
  take(path: string): Fault | null {
    const prefix = [...this.#planned.keys()]
      .filter((candidate) => path.startsWith(candidate))
      .reduce<string | null>(
        (longest, next) => (longest !== null && longest.length > next.length ? longest : next),
        null,
      );
    const planned = prefix === null ? undefined : this.#planned.get(prefix);
    if (prefix === null || !planned) return null;
    planned.remaining -= 1;
    if (planned.remaining <= 0) this.#planned.delete(prefix);
    return planned.fault;
  }
}
