import type { FastifyInstance } from 'fastify';

/** How long requests under way may take to finish, in milliseconds. */
const DRAIN_TIME = 8_000;

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
