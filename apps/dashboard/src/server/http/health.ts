import type { FastifyInstance } from 'fastify';
import type { SessionStore } from '../session/session-store.ts';

/** Mounts /healthz (the process is alive) and /readyz (it can serve requests). */
export function mountHealth(
  app: FastifyInstance,
  { store, isClosing }: { readonly store: SessionStore; readonly isClosing: () => boolean },
): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    const isStoreWorking = await store.check().then(
      () => true,
      () => false,
    );
    const checks = { sessions: isStoreWorking ? 'ok' : 'failing', accepting: isClosing() ? 'failing' : 'ok' };
    const isReady = Object.values(checks).every((check) => check === 'ok');
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable', checks });
  });
}
