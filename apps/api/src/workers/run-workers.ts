import type { Server } from 'node:net';
import { stopSignal } from '@guild-settings/command-line';
import { createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { REFUSAL_CODEC } from '../domain/refusal-codec.ts';
import { openLogOutput } from '../ops/log-output.ts';
import type { ProcessMetrics, ShareMetrics } from '../ops/metrics-of-workers.ts';
import { closeOnStop, STOP_TIMEOUT_MS } from '../ops/shutdown.ts';
import { openStore } from '../store/open-store.ts';
import type { StoreMessage } from '../store/workers/messages.ts';
import { StoreServer, type WorkerLink } from '../store/workers/store-server.ts';
import { serveConnections } from './connections.ts';
import { listenAt } from './listen.ts';
import { PIPE_BYTES } from './run-worker.ts';
import { WorkerPool } from './worker-pool.ts';

interface RunWorkersOptions {
  /** Whether a SQLite database may be created beside the files of a lost one. */
  readonly isNewDatabaseAllowed: boolean;
}

/**
 * Runs the service in several processes. This one accepts all connections, serves its share of them, and does all writes to
 * a SQLite file. The others serve the rest. With PostgreSQL each of them is a process like any other.
 */
export async function runWorkers(config: Config, { isNewDatabaseAllowed }: RunWorkersOptions): Promise<void> {
  let connect: ((send: (message: StoreMessage) => void) => WorkerLink) | undefined;
  let pool: WorkerPool | undefined;
  const openShared: typeof openStore = async (database, options) => {
    if (database.kind === 'postgres') return openStore(database, options);
    const { onCommit, onMessage = () => {} } = options;
    const opened = await openStore(database, { ...options, onOwnCommit: () => server.committed() });
    const server = new StoreServer(opened, { refusals: REFUSAL_CODEC, onCommit, onMessage });
    connect = (send) => server.connect(send);
    // Workers write until they have ended.
    return { ...server.store, close: () => (pool?.stop() ?? Promise.resolve()).finally(opened.close) };
  };
  const logger = { stream: openLogOutput(PIPE_BYTES) };
  let own: () => Promise<ProcessMetrics> = async () => [];
  const collect = async () => [{ worker: '0', metrics: await own() }, ...((await pool?.collectMetrics()) ?? [])];
  const shareMetrics: ShareMetrics = (ofThisProcess) => {
    own = ofThisProcess;
    return collect;
  };
  const app = await createApp(config, { isNewDatabaseAllowed, openStore: openShared, shareMetrics, logger });
  const servers: Server[] = [];
  app.addHook('preClose', async () => {
    for (const server of servers) server.close();
    void pool?.stop();
  });
  // Its hook waits for connections, so that of the servers is before it.
  const serve = serveConnections(app);
  pool = new WorkerPool({ count: config.workers - 1, log: app.log, connect, serve, collect });
  const workers = pool;
  await app.ready();
  closeOnStop(app, stopSignal({ timeoutMs: STOP_TIMEOUT_MS }));
  try {
    await pool.start();
    const listening = await listenAt(config.server, (socket) => workers.pass(socket));
    servers.push(...listening.servers);
    // In the words of Fastify, for programs that wait for them.
    for (const url of listening.urls) app.log.info(`Server listening at ${url}`);
  } catch (error) {
    await app.close();
    throw error;
  }
}
