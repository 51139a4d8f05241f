import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Time that running requests have to finish before their connections are closed. */
const DRAIN_TIMEOUT_MS = 5_000;

/** Interval at which idle connections are closed during shutdown. */
const SWEEP_INTERVAL_MS = 50;

/** A resource that running requests wait for. It is closed with their connections. */
interface Pending {
  close(): void;
}

/**
 * Lets `app.close()` resolve as soon as the running requests have finished: responses from then on carry `Connection: close`,
 * and idle connections are closed instead of being kept alive. Requests that have not finished within the timeout are
 * aborted.
 */
export function drainOnClose(app: FastifyInstance, pending: Pending): { readonly isClosing: () => boolean } {
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const sweepIdle = () => {
    app.server.closeIdleConnections();
    // Node counts a connection that was opened in advance, and has sent nothing yet, as busy.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
  let sweep: NodeJS.Timeout | undefined;
  let drainTimer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    sweep = setInterval(sweepIdle, SWEEP_INTERVAL_MS);
    drainTimer = setTimeout(() => {
      app.log.warn({ timeoutMs: DRAIN_TIMEOUT_MS }, 'aborting the requests that have not finished');
      pending.close();
      app.server.closeAllConnections();
    }, DRAIN_TIMEOUT_MS);
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (sweep !== undefined) reply.header('connection', 'close');
    done();
  });
  app.addHook('onClose', async () => {
    clearInterval(sweep);
    clearTimeout(drainTimer);
    pending.close();
  });
  return { isClosing: () => sweep !== undefined };
}
