import type { FastifyInstance } from 'fastify';
import type { RetentionState } from '../domain/retention.ts';
import type { Health } from '../observability/health.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { StoreHealth } from '../store/measured-store.ts';

interface HealthOptions {
  readonly storeHealth: StoreHealth;
  readonly retention: { readonly state: RetentionState };
  readonly metrics: Metrics;
  readonly hasBotToken: boolean;
  readonly isClosing: () => boolean;
}

const PROBE = { config: { isProbe: true } };

export function mountHealth(
  app: FastifyInstance,
  { storeHealth, metrics, isClosing, retention, hasBotToken }: HealthOptions,
): void {
  app.get('/healthz', PROBE, async ({ headers, ip, socket }): Promise<Health> => {
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return { status: 'ok' };
    const [first] = String(forwarded).split(',', 1);
    // A client must not be able to find the address of an untrusted proxy by guessing.
    const isTrusted = first?.trim() === ip && ip !== socket.remoteAddress;
    return { status: 'ok', forwardedFor: isTrusted ? 'trusted' : 'ignored' };
  });

  app.get('/readyz', PROBE, async (_request, reply): Promise<Health> => {
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
      ...(!hasBotToken && { botToken: 'missing' as const }),
    } satisfies Health);
  });

  app.get('/metrics', PROBE, async (_request, reply) => {
    const { contentType, body } = await metrics.render();
    return reply.type(contentType).send(body);
  });
}
