import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long requests under way may take to finish, and then the process to end, in milliseconds. */
const DRAIN_TIME = 5_000;
const END_TIME = 9_000;

/** How often connections that have become idle are looked for, in milliseconds. */
const SWEEP = 50;

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
    sweep = setInterval(sweepIdle, SWEEP);
    cutOff = setTimeout(() => {
      pending.close();
      app.server.closeAllConnections();
    }, DRAIN_TIME);
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

/** On SIGTERM or SIGINT closes the service and exits 0. Another signal meanwhile changes nothing. */
export function closeOnSignal(app: FastifyInstance): void {
  let isClosing = false;
  const close = async (signal: NodeJS.Signals) => {
    if (isClosing) return;
    isClosing = true;
    app.log.info({ signal }, 'closing');
    setTimeout(() => process.exit(1), END_TIME).unref();
    try {
      await app.close();
      process.exitCode = 0;
    } catch (error) {
      app.log.error({ err: error }, 'closing failed');
      process.exitCode = 1;
    }
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
}
