import { Histogram, type Registry } from 'prom-client';

export interface RequestLabels {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

export interface RequestDurationsOptions {
  readonly help: string;
  /** The upper bounds of the buckets, in seconds. */
  readonly buckets: readonly number[];
  /** The methods that routes have. Clients can send some thirty others. */
  readonly methods: ReadonlySet<string>;
  readonly registry: Registry;
}

/**
 * Registers the histogram of the durations of requests. Its labels are bounded, so that a client cannot create time series by sending
 * values of its own: a method that the route does not have is `other`.
 * @returns measures a request
 */
export function requestDurations({ help, buckets, methods, registry }: RequestDurationsOptions) {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help,
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [...buckets],
    registers: [registry],
  });
  return (request: RequestLabels, seconds: number): void => {
    const isKnown = methods.has(request.method) && request.status !== 405;
    const labels = isKnown ? request : { method: 'other', route: 'none', status: request.status };
    durations.observe({ ...labels }, seconds);
  };
}
