import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Metrics } from './metrics.ts';
import type { RetentionState } from './retention.ts';
import type { StoreHealth } from './store-health.ts';

/** Present while retention is stopped: nothing is erased until an operator acts. It does not make the service unready. */
const StoppedRetention = z.object({
  status: z.literal('stopped'),
  reason: z.string().meta({ description: 'Why nothing is erased when its time has come.' }),
});

/** What /healthz and /readyz answer. */
export const Health = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    checks: z.record(z.string(), z.enum(['ok', 'failing'])).optional(),
    retention: StoppedRetention.optional(),
  })
  .meta({ id: 'Health', description: 'Whether the process is alive, or ready for requests.' });

export type Health = z.infer<typeof Health>;

interface OpsOptions {
  readonly storeHealth: StoreHealth;
  readonly retention: { readonly state: RetentionState };
  readonly metrics: Metrics;
  /** Whether the process is shutting down. */
  readonly isClosing: () => boolean;
}

/** /healthz: the process is alive. /readyz: it can serve requests. /metrics: what it counted. */
export function mountOps(app: FastifyInstance, { storeHealth, metrics, isClosing, retention }: OpsOptions): void {
  app.get('/healthz', async (): Promise<Health> => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply): Promise<Health> => {
    const { read, write } = await storeHealth.verdict();
    const checks = {
      storeReadable: read === undefined ? 'ok' : 'failing',
      storeWritable: write === undefined ? 'ok' : 'failing',
      accepting: isClosing() ? 'failing' : 'ok',
    } as const;
    const isReady = Object.values(checks).every((check) => check === 'ok');
    return reply.code(isReady ? 200 : 503).send({
      status: isReady ? 'ok' : 'unavailable',
      checks,
      ...(retention.state.status === 'stopped' && { retention: retention.state }),
    } satisfies Health);
  });

  app.get('/metrics', async (_request, reply) => {
    const { contentType, body } = await metrics.render();
    return reply.type(contentType).send(body);
  });
}
