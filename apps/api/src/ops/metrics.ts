import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { StoreVerdict } from './store-health.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Durations that are kept for the histogram of requests until it is told. */
const MOST_UNTOLD = 500;

/** What requests are told apart by. */
export interface RequestLabels {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

/** What the service counts. One instance an application, so that tests do not share counts. */
export interface Metrics {
  /** Everything in Prometheus' text format. */
  render(): Promise<{ contentType: string; body: string }>;
  request(labels: RequestLabels, seconds: number): void;
  /** Counts what was no readable HTTP request, by the status of its response. */
  unreadableRequest(status: number): void;
  authCache(result: 'hit' | 'miss' | 'stale' | 'rejected'): void;
  /** Starts timing a call to Discord; the answer ends it with its outcome. */
  discordCall(endpoint: string): (outcome: string) => void;
  /** Starts timing a store operation; the answer ends it. */
  storeOperation(operation: string): () => void;
  /** Counts a store operation that failed. */
  storeError(operation: string): void;
  /** Shows whether the store can be read and written, as judged when the metrics are read. */
  storeReadiness(judge: () => Promise<StoreVerdict>): void;
}

/** Methods that an operation or a page may have. Clients can send some thirty others to each route. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'DELETE']);

/** What a client can choose freely does not make a time series of its own. */
function boundedLabels({ method, route, status }: RequestLabels): RequestLabels {
  const isTaken = METHODS.has(method) && status !== 405;
  return { method: isTaken ? method : 'other', route: isTaken ? route : 'none', status };
}

/** Makes an empty set of metrics, with those of the process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers,
    collect: () => tell(),
  });
  /** What the histogram has not been told yet: many at once cost a fraction of as many one by one. */
  const untold = new Map<string, { readonly labels: RequestLabels; readonly seconds: number[] }>();
  const tell = () => {
    for (const { labels, seconds } of untold.values()) for (const one of seconds) requests.observe(labels, one);
    untold.clear();
  };
  /** Since they were last asked for: one a request is counted here at less cost. */
  const lookups = new Map<string, number>();
  new Counter({
    name: 'auth_cache_lookups_total',
    help: 'Look-ups of tokens: hit, miss (Discord was asked), stale (served in an outage), rejected (known to be bad).',
    labelNames: ['result'] as const,
    registers,
    collect() {
      for (const [result, count] of lookups) this.inc({ result }, count);
      lookups.clear();
    },
  });
  const unreadable = new Counter({
    name: 'http_unreadable_requests_total',
    help: 'What was no readable HTTP request, by status: 400 malformed, 408 too slow, 431 headers too large.',
    labelNames: ['status'] as const,
    registers,
  });
  const discordCalls = new Histogram({
    name: 'discord_request_duration_seconds',
    help: 'Calls to Discord, by endpoint and outcome.',
    labelNames: ['endpoint', 'outcome'] as const,
    buckets: SECONDS,
    registers,
  });
  const storeOperations = new Histogram({
    name: 'store_operation_duration_seconds',
    help: 'How long the store took, by operation.',
    labelNames: ['operation'] as const,
    buckets: SECONDS,
    registers,
  });

  const storeErrors = new Counter({
    name: 'store_errors_total',
    help: 'Store operations that failed, by operation.',
    labelNames: ['operation'] as const,
    registers,
  });

  return {
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
    unreadableRequest: (status) => unreadable.inc({ status }),
    request(labels, seconds) {
      const { method, route, status } = boundedLabels(labels);
      const key = `${method} ${route} ${status}`;
      const some = untold.get(key);
      if (some === undefined) untold.set(key, { labels: { method, route, status }, seconds: [seconds] });
      else if (some.seconds.push(seconds) >= MOST_UNTOLD) tell();
    },
    authCache: (result) => void lookups.set(result, (lookups.get(result) ?? 0) + 1),
    discordCall(endpoint) {
      const end = discordCalls.startTimer({ endpoint });
      return (outcome) => end({ outcome });
    },
    storeOperation(operation) {
      const end = storeOperations.startTimer({ operation });
      return () => end();
    },
    storeError: (operation) => storeErrors.inc({ operation }),
    storeReadiness(judge) {
      new Gauge({
        name: 'store_ready',
        help: 'Whether the store can be read and written, by check: 1 it can, 0 it cannot.',
        labelNames: ['check'] as const,
        registers,
        async collect() {
          const verdict = await judge();
          for (const check of ['read', 'write'] as const) this.set({ check }, verdict[check] === undefined ? 1 : 0);
        },
      });
    },
  };
}
