import { createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { REFUSAL_CODEC } from '../domain/refusal-codec.ts';
import { openLogOutput } from '../ops/log-output.ts';
import { openStore } from '../store/open-store.ts';
import { openSqliteReader } from '../store/sqlite/sqlite-reader.ts';
import { StoreClient } from '../store/workers/store-client.ts';
import { workerStore } from '../store/workers/worker-store.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** Bytes that the system writes to a pipe in one piece: lines of several processes do not mix. */
const PIPE_BYTES = 4_096;

/**
 * Serves requests in a worker, which ends with the first process. Signals of the terminal reach all processes: the first
 * one handles them, and stops the workers.
 */
export async function runWorker(config: Config): Promise<void> {
  process.on('SIGINT', () => {}).on('SIGTERM', () => {});
  const listening = new Promise<void>((resolve) => {
    process.on('message', (message: ToWorker) => {
      if (message.type === 'listen') resolve();
    });
  });
  try {
    const app = await createApp(config, { openStore: openWorkerStore, logger: { stream: openLogOutput(PIPE_BYTES) } });
    process.on('message', (message: ToWorker) => {
      if (message.type !== 'stop') return;
      app.close().then(
        () => process.exit(0),
        (error: unknown) => {
          app.log.error({ err: error }, 'closing failed');
          process.exit(1);
        },
      );
    });
    send({ type: 'ready' });
    await listening;
    await app.listen({ host: config.server.host, port: config.server.port });
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

function send(message: FromWorker): void {
  // Fails when the first process has ended, and this one with it.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
