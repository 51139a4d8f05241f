import type { FastifyInstance } from 'fastify';

/** How long requests under way may take to finish, in milliseconds. */
const DRAIN_TIME = 5_000;

/** How often connections that have become idle are looked for, in milliseconds. */
const SWEEP = 50;

/**
 * Lets `app.close()` finish as soon as the requests under way have: answers from then on say that the connection ends,
 * and connections that were answered before are closed when they are idle, instead of being kept alive.
 */
export function drainOnClose(app: FastifyInstance): { readonly isClosing: () => boolean } {
  let sweep: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP);
  });
  app.addHook('onSend', async (_request, reply) => {
    if (sweep !== undefined) reply.header('connection', 'close');
  });
  app.addHook('onClose', async () => clearInterval(sweep));
  return { isClosing: () => sweep !== undefined };
}

/**
 * On SIGTERM or SIGINT stops accepting, lets requests under way finish, closes the store and exits 0. What has not
 * finished in time is cut off.
 */
export function closeOnSignal(app: FastifyInstance): void {
  const close = async (signal: NodeJS.Signals) => {
    app.log.info({ signal }, 'closing');
    const cutOff = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIME);
    try {
      await app.close();
      process.exitCode = 0;
    } catch (error) {
      app.log.error({ err: error }, 'closing failed');
      process.exitCode = 1;
    } finally {
      clearTimeout(cutOff);
    }
  };
  process.once('SIGTERM', close);
  process.once('SIGINT', close);
}
