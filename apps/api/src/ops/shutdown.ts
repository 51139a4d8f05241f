import type { Socket } from 'node:net';
import { StoppedBySignal } from '@guild-settings/command-line';
import type { FastifyInstance } from 'fastify';

/** How long requests under way may take to finish. */
const DRAIN_TIMEOUT_MS = 5_000;

/** How long the process may take to end after a signal to stop. */
export const STOP_TIMEOUT_MS = 9_000;

/** The interval between searches for connections that have become idle. */
const SWEEP_INTERVAL_MS = 50;

/** Something that requests may be waiting for, and need not once they are cut off. */
interface Pending {
  close(): void;
}

/**
 * Lets `app.close()` finish as soon as the requests under way have: answers from then on say that the connection ends,
 * and connections that were answered before are closed when they are idle, instead of being kept alive. Requests that
 * have not finished in time are cut off, and what they wait for is given up.
 */
export function drainOnClose(app: FastifyInstance, pending: Pending): { readonly isClosing: () => boolean } {
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const sweepIdle = () => {
    app.server.closeIdleConnections();
    // Node takes a connection for busy that has been opened in advance and has not said anything yet.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
  let sweep: NodeJS.Timeout | undefined;
  let cutOff: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    sweep = setInterval(sweepIdle, SWEEP_INTERVAL_MS);
    cutOff = setTimeout(() => {
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
    clearTimeout(cutOff);
    pending.close();
  });
  return { isClosing: () => sweep !== undefined };
}

/** Closes the service when the signal is aborted, and sets the exit code. */
export function closeOnStop(app: FastifyInstance, stop: AbortSignal): void {
  stop.addEventListener('abort', async () => {
    const { reason } = stop;
    app.log.info({ signal: reason instanceof StoppedBySignal ? reason.signal : undefined }, 'closing');
    try {
      await app.close();
      process.exitCode = 0;
    } catch (error) {
      app.log.error({ err: error }, 'closing failed');
      process.exitCode = 1;
    }
  });
}
