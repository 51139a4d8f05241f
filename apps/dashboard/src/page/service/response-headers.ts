/** Whether a change is in use, as the header `Arrival` has it. */
export interface Arrival {
  /** `live`, `pending`, `rejected`, `away`, or a state of a later version. */
  readonly state: string;
  /** Milliseconds from the commit until the last process had it. */
  readonly latencyMs?: number;
}

/** Reads the header `Arrival`; undefined for another form. */
export function readArrival(header: string): Arrival | undefined {
  const [, state, latency] = /^([\w-]+) *(?:$|;)(?: *latency=(\d{1,15})(?![\w.]))?/.exec(header) ?? [];
  return state === undefined ? undefined : { state, ...(latency !== undefined && { latencyMs: Number(latency) }) };
}

/**
 * Returns the parameter `before` of the link to the next part of a history.
 * @see https://www.rfc-editor.org/rfc/rfc8288
 */
export function nextBefore(link: string): number | undefined {
  const [, target] = /<([^>]*)>;\s*rel="next"/.exec(link) ?? [];
  const before = new URLSearchParams(target?.split('?')[1]).get('before');
  return before !== null && /^\d+$/.test(before) ? Number(before) : undefined;
}

/** Returns the seconds of a header `Retry-After`; undefined for another form. */
export function readRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}
