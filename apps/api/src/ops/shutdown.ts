import { StoppedBySignal } from '@guild-settings/runtime/command-line';
import type { FastifyInstance } from 'fastify';

/** Time after a signal at which the process exits, whatever is still open. */
export const STOP_TIMEOUT_MS = 9_000;

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
    // A cluster manager has a channel to this process, which would keep it alive.
    process.channel?.unref();
  });
}
