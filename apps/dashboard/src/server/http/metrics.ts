import { requestDurations } from '@guild-settings/runtime/http-server';
import { describeMetrics, type MetricDescription, processMetrics } from '@guild-settings/runtime/metrics';
import { Counter, Gauge, Registry } from 'prom-client';
import { VERSION } from '../../version.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const LOGIN_OUTCOMES = ['completed', 'denied', 'expired', 'failed', 'limited'] as const;

const RENEWAL_OUTCOMES = ['renewed', 'refused', 'unavailable'] as const;

/** Methods that routes have. Clients can send some thirty others. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE']);

/** The gauges whose values the parts of the dashboard read when the metrics are, with their help. */
const GAUGES = {
  dashboard_streams: 'Event streams that are open.',
  dashboard_sessions_ready: '1 while the sessions can be read and written, else 0.',
  dashboard_service_reachable: '1 while the api responds, else 0.',
} as const;

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const request = requestDurations({
    help: 'Requests without event streams, by method (other: not of the route), route and status.',
    buckets: SECONDS,
    methods: METHODS,
    registry,
  });
  const logins = new Counter({
    name: 'dashboard_logins_total',
    help: `Logins that came back from Discord, by outcome: ${LOGIN_OUTCOMES.join(', ')}.`,
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of LOGIN_OUTCOMES) logins.inc({ outcome }, 0);
  const renewals = new Counter({
    name: 'dashboard_token_renewals_total',
    help: `Renewals of the tokens of sessions, by outcome: ${RENEWAL_OUTCOMES.join(', ')}. Refused ends the session.`,
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of RENEWAL_OUTCOMES) renewals.inc({ outcome }, 0);
  new Gauge({
    name: 'guild_settings_build_info',
    help: 'Always 1, with the versions of the dashboard and of Node.',
    labelNames: ['version', 'node'] as const,
    registers,
  }).set({ version: VERSION, node: process.version }, 1);

  return {
    request,
    login: (outcome: (typeof LOGIN_OUTCOMES)[number]) => logins.inc({ outcome }),
    renewal: (outcome: (typeof RENEWAL_OUTCOMES)[number]) => renewals.inc({ outcome }),
    gauge(name: keyof typeof GAUGES, value: () => number | Promise<number>): void {
      new Gauge({
        name,
        help: GAUGES[name],
        registers,
        async collect() {
          this.set(await value());
        },
      });
    },
    /** Describes all metrics but those of the process, also the gauges that are not registered. */
    describe(): MetricDescription[] {
      const gauges = Object.entries(GAUGES).map(([name, help]) => ({ name, type: 'gauge' as const, labels: [], help }));
      return [...describeMetrics(registry).filter(({ name }) => !(name in GAUGES)), ...gauges];
    },
    render: async () => ({
      contentType: registry.contentType,
      body: await Registry.merge([processMetrics(), registry]).metrics(),
    }),
  };
}
