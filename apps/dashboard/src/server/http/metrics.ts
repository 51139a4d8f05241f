import { processMetrics, requestDurations } from '@guild-settings/runtime/http-server';
import { Counter, Gauge, Registry } from 'prom-client';
import { VERSION } from '../../version.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const LOGIN_OUTCOMES = ['completed', 'denied', 'expired', 'failed', 'limited'] as const;

const RENEWAL_OUTCOMES = ['renewed', 'refused', 'unavailable'] as const;

/** Methods that routes have. Clients can send some thirty others. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE']);

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const request = requestDurations({
    help: 'Duration of requests without event streams, by method, route and status.',
    buckets: SECONDS,
    methods: METHODS,
    registry,
  });
  const logins = new Counter({
    name: 'dashboard_logins_total',
    help: 'Logins that came back from Discord, by outcome.',
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of LOGIN_OUTCOMES) logins.inc({ outcome }, 0);
  const renewals = new Counter({
    name: 'dashboard_token_renewals_total',
    help: 'Renewals of the tokens of sessions at Discord, by outcome.',
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of RENEWAL_OUTCOMES) renewals.inc({ outcome }, 0);
  new Gauge({
    name: 'guild_settings_build_info',
    help: 'Always 1. The labels are the versions of the dashboard and of Node.',
    labelNames: ['version', 'node'] as const,
    registers,
  }).set({ version: VERSION, node: process.version }, 1);

  return {
    request,
    login: (outcome: (typeof LOGIN_OUTCOMES)[number]) => logins.inc({ outcome }),
    renewal: (outcome: (typeof RENEWAL_OUTCOMES)[number]) => renewals.inc({ outcome }),
    gauge(name: string, help: string, value: () => number | Promise<number>): void {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await value());
        },
      });
    },
    render: async () => ({
      contentType: registry.contentType,
      body: await Registry.merge([processMetrics(), registry]).metrics(),
    }),
  };
}
