/** Whether a change is in use, as the service says it in the header `Arrival`. */
export interface ReceivedArrival {
  /** `live`, `pending`, `rejected`, `away`, or what a later version of the service says. */
  readonly state: string;
  /** Milliseconds from the commit until the last process had it; absent: unknown. */
  readonly latencyMs?: number;
}

/** Reads the header `Arrival`; undefined for another form. */
export function readArrival(header: string): ReceivedArrival | undefined {
  const [, state, latency] = /^([\w-]+) *(?:$|;)(?: *latency=(\d{1,15})(?![\w.]))?/.exec(header) ?? [];
  return state === undefined ? undefined : { state, ...(latency !== undefined && { latencyMs: Number(latency) }) };
}
