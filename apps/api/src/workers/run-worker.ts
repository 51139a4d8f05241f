import type { Socket } from 'node:net';
import { openLogOutput } from '@guild-settings/log-output';
import { createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { REFUSAL_CODEC } from '../domain/refusal-codec.ts';
import type { ShareMetrics, WorkerMetrics } from '../ops/metrics-of-workers.ts';
import { openStore } from '../store/open-store.ts';
import { openSqliteReader } from '../store/sqlite/sqlite-reader.ts';
import { StoreClient } from '../store/workers/store-client.ts';
import { workerStore } from '../store/workers/worker-store.ts';
import { serveConnections } from './connections.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { otherMember } from './other-member.ts';

/** Bytes that the system writes to a pipe in one piece: lines of several processes do not mix. */
export const PIPE_BYTES = 4_096;

/**
 * Serves the connections that the first process passes on, and ends with it. Signals of the terminal reach all processes:
 * the first one handles them, and stops the workers.
 */
export async function runWorker(config: Config): Promise<void> {
  process.on('SIGINT', () => {}).on('SIGTERM', () => {});
  try {
    const logger = { stream: openLogOutput(PIPE_BYTES) };
    const { receive, ...shared } = otherMember(send);
    process.on('message', receive);
    const group = { openStore: openWorkerStore, shareMetrics, ...shared };
    const app = await createApp(config, { group, logger });
    const serve = serveConnections(app);
    await app.ready();
    const stop = () =>
      app.close().then(
        () => process.exit(0),
        (error: unknown) => {
          app.log.error({ err: error }, 'closing failed');
          process.exit(1);
        },
      );
    process.on('message', ({ type }: ToWorker, socket: Socket | undefined) => {
      // The socket is missing when the client has closed the connection on the way.
      if (type === 'connection') socket && serve(socket);
      else if (type === 'stop') void stop();
    });
    send({ type: 'ready' });
  } catch (error) {
    // Otherwise the connection to the first process would keep this one alive.
    process.channel?.unref();
    throw error;
  }
}

/** Opens the store of a worker. A PostgreSQL database is the same for any number of processes. */
const openWorkerStore: typeof openStore = async (database, options) => {
  if (database.kind === 'postgres') return openStore(database, options);
  const { onCommit, onMessage = () => {} } = options;
  const client = new StoreClient({
    send: (message) => send({ type: 'store', ...message }),
    refusals: REFUSAL_CODEC,
    onCommit,
    onMessage,
  });
  process.on('message', (message: ToWorker) => {
    if (message.type === 'store') client.receive(message);
  });
  return workerStore({ reader: openSqliteReader(database.path), client, refusals: REFUSAL_CODEC });
};

/** Sends the metrics of this process when the first one collects them, and has it collect them for this one. */
const shareMetrics: ShareMetrics = (own) => {
  const waiting = new Map<number, (workers: readonly WorkerMetrics[]) => void>();
  let requests = 0;
  process.on('message', async (message: ToWorker) => {
    if (message.type === 'send-metrics')
      send({ type: 'metrics', id: message.id, metrics: await own().catch(() => []) });
    if (message.type !== 'all-metrics') return;
    waiting.get(message.id)?.(message.workers);
    waiting.delete(message.id);
  });
  return () =>
    new Promise((resolve) => {
      const id = requests++;
      waiting.set(id, resolve);
      send({ type: 'collect-metrics', id });
    });
};

function send(message: FromWorker): void {
  // Fails when the first process has ended, and this one with it.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
