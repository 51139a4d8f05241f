import { describeMetrics, LAST_BACKUP, type MetricDescription, processMetrics } from '@guild-settings/runtime/metrics';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../own-package.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Durations of event streams: ten seconds to a week. */
const STREAM_SECONDS = [10, 60, 300, 1_800, 3_600, 21_600, 86_400, 604_800];

export interface Metrics {
  render(): Promise<{ contentType: string; body: string }>;
  /** Counts a stored value that does not have the type of its setting, so that the default was served. */
  unfitValue(setting: string): void;
  request(labels: Readonly<Record<'method' | 'route', string>> & { readonly status: number }, seconds: number): void;
  unreadableRequest(status: number): void;
  /** Counts an event stream as open. Returns a function that records its end. */
  watchStarted(): () => void;
  watchRefused(): void;
  authCache(result: 'hit' | 'miss' | 'stale' | 'rejected'): void;
  /** Starts the timer of a call to Discord. Returns a function that stops it and records the outcome. */
  discordCall(endpoint: string): (outcome: string) => void;
  storeOperation(operation: string, seconds: number): void;
  /** Registers an operation, so that its error counter starts at 0 and the first error is an increase. */
  expectStoreOperation(operation: string): void;
  storeError(operation: string): void;
  /**
   * Registers a gauge whose value is read at each collection; a gauge with a label returns a number per label value.
   */
  gauge(name: GaugeName, value: () => GaugeValue | Promise<GaugeValue>): void;
  arrival(latencyMs: number): void;
  login(outcome: (typeof LOGIN_OUTCOMES)[number]): void;
  renewal(outcome: (typeof RENEWAL_OUTCOMES)[number]): void;
  /** Describes all metrics except those of the process, including gauges that are not registered. */
  describe(): MetricDescription[];
}

const LOGIN_OUTCOMES = ['completed', 'denied', 'expired', 'failed', 'limited'] as const;

const RENEWAL_OUTCOMES = ['renewed', 'refused', 'unavailable'] as const;

type GaugeValue = number | Readonly<Record<string, number>>;

/** Methods of operations and pages. Clients can send some thirty others to each route. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'DELETE']);

/** Creates the metrics of the service, rendered together with those of the process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];

  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets = SECONDS) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const requests = histogram(
    'http_request_duration_seconds',
    'Requests except event streams, by method (other: not supported by the route), route and status.',
    ['method', 'route', 'status'],
  );
  /** Counts since the last collection: each request adds one, and a map is cheaper than the counter. */
  const lookups = new Map<string, number>(['hit', 'miss', 'stale', 'rejected'].map((result) => [result, 0]));
  new Counter({
    name: 'auth_cache_lookups_total',
    help: 'Look-ups of tokens, by result: hit, miss (requested from Discord), stale (accepted in an outage), rejected (known to be invalid).',
    labelNames: ['result'] as const,
    registers,
    collect() {
      for (const [result, count] of lookups) {
        this.inc({ result }, count);
        lookups.set(result, 0);
      }
    },
  });
  const unreadable = new Counter({
    name: 'http_unreadable_requests_total',
    help: 'Requests that could not be parsed, by status: 400 malformed, 408 too slow, 431 headers too large.',
    labelNames: ['status'] as const,
    registers,
  });
  for (const status of [400, 408, 431]) unreadable.inc({ status }, 0);
  let watchers = 0;
  const watches = histogram(
    'feed_watch_duration_seconds',
    'Event streams that have ended, by outcome: served or refused.',
    ['outcome'],
    STREAM_SECONDS,
  );
  const discordCalls = histogram('discord_request_duration_seconds', 'Requests to Discord, by endpoint and outcome.', [
    'endpoint',
    'outcome',
  ]);
  const storeOperations = histogram('store_operation_duration_seconds', 'Operations of the store.', ['operation']);
  const arrivals = histogram(
    'guild_settings_arrival_seconds',
    'Time from a commit until a registered watcher has acknowledged it.',
    [],
  );
  const storeErrors = new Counter({
    name: 'store_errors_total',
    help: 'Failed operations of the store, by operation; 0 from the start on.',
    labelNames: ['operation'] as const,
    registers,
  });

  const logins = new Counter({
    name: 'dashboard_logins_total',
    help: `Logins on the page that returned from Discord, by outcome: ${LOGIN_OUTCOMES.join(', ')}.`,
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of LOGIN_OUTCOMES) logins.inc({ outcome }, 0);
  const renewals = new Counter({
    name: 'dashboard_token_renewals_total',
    help: `Token renewals of sessions, by outcome: ${RENEWAL_OUTCOMES.join(', ')}. Refused ends the session.`,
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of RENEWAL_OUTCOMES) renewals.inc({ outcome }, 0);
  const unfitValues = new Counter({
    name: 'settings_unfit_values_total',
    help: 'Stored values that do not have the type of their declared setting, for which the default was served.',
    labelNames: ['setting'] as const,
    registers,
  });

  new Gauge({
    name: 'feed_watchers',
    help: 'Event streams that are open.',
    registers,
    collect() {
      this.set(watchers);
    },
  });
  new Gauge({
    name: 'guild_settings_build_info',
    help: 'Always 1, with the versions of the service and of Node.',
    labelNames: ['version', 'node'] as const,
    registers,
  }).set({ version: VERSION, node: process.version }, 1);

  return {
    login: (outcome) => logins.inc({ outcome }),
    renewal: (outcome) => renewals.inc({ outcome }),
    unfitValue: (setting) => unfitValues.inc({ setting }),
    gauge(name, read) {
      const { help, label = '' }: { readonly help: string; readonly label?: string } = GAUGES[name];
      new Gauge({
        name,
        help,
        labelNames: label === '' ? [] : [label],
        registers,
        async collect() {
          const value = await read();
          if (typeof value === 'number') this.set(value);
          else for (const [key, count] of Object.entries(value)) this.set({ [label]: key }, count);
        },
      });
    },
    describe() {
      const gauges = Object.entries(GAUGES).map(([name, text]) => {
        const labels = 'label' in text ? [text.label] : [];
        return { name, type: 'gauge' as const, labels, help: text.help };
      });
      const isRegistered = ({ name }: MetricDescription) => name in GAUGES;
      return [...describeMetrics(registry).filter((metric) => !isRegistered(metric)), ...gauges];
    },
    arrival: (latencyMs) => arrivals.observe(latencyMs / 1_000),
    watchStarted() {
      watchers += 1;
      const end = watches.startTimer({ outcome: 'served' });
      return () => {
        watchers -= 1;
        end();
      };
    },
    watchRefused: () => watches.observe({ outcome: 'refused' }, 0),
    expectStoreOperation: (operation) => storeErrors.inc({ operation }, 0),
    async render() {
      const body = await Registry.merge([processMetrics(), registry]).metrics();
      return { contentType: registry.contentType, body };
    },
    unreadableRequest: (status) => unreadable.inc({ status }),
    request(labels, seconds) {
      // Limits the label values, so that clients cannot create time series by sending their own.
      const isKnown = METHODS.has(labels.method) && labels.status !== 405;
      requests.observe(isKnown ? { ...labels } : { method: 'other', route: 'none', status: labels.status }, seconds);
    },
    authCache: (result) => void lookups.set(result, (lookups.get(result) ?? 0) + 1),
    discordCall(endpoint) {
      const end = discordCalls.startTimer({ endpoint });
      return (outcome) => end({ outcome });
    },
    storeOperation: (operation, seconds) => storeOperations.observe({ operation }, seconds),
    storeError: (operation) => storeErrors.inc({ operation }),
  };
}

interface GaugeText {
  readonly help: string;
  readonly label?: string;
}

const GAUGES = {
  store_ready: { help: 'Checks of /readyz: 1 or 0, by check: read or write.', label: 'check' },
  store_waiting_writes: { help: 'Writes that wait for a transaction, at most 10,000.' },
  erasures_unfinished: { help: 'Requested erasures with rows left to erase: 0 within seconds to minutes.' },
  guild_settings_watchers: {
    help: 'Registered processes that follow the guilds, by state: connected, away for less than an hour, or left within a day.',
    label: 'state',
  },
  discord_circuit_state: {
    help: 'Circuit breaker of requests to Discord: 1 for the present state, closed, half-open or open (no request is sent).',
    label: 'state',
  },
  [LAST_BACKUP.name]: { help: LAST_BACKUP.help },
  postgres_pool_max_connections: { help: 'With PostgreSQL: maximum number of connections.' },
  postgres_pool_connections: { help: 'With PostgreSQL: open connections, in use or idle.' },
  postgres_pool_idle_connections: { help: 'With PostgreSQL: open connections that are not in use.' },
  postgres_pool_waiting_requests: {
    help: 'With PostgreSQL: statements and transactions that wait for a connection.',
  },
} as const satisfies Readonly<Record<string, GaugeText>>;

export type GaugeName = keyof typeof GAUGES;
