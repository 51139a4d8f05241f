import type { Server } from 'node:net';
import { stopSignal } from '@guild-settings/command-line';
import { openLogOutput } from '@guild-settings/log-output';
import { createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { REFUSAL_CODEC } from '../domain/refusal-codec.ts';
import type { ProcessMetrics, ShareMetrics } from '../ops/metrics-of-workers.ts';
import { closeOnStop, STOP_TIMEOUT_MS } from '../ops/shutdown.ts';
import { openStore } from '../store/open-store.ts';
import type { StoreMessage } from '../store/workers/messages.ts';
import { StoreServer, type WorkerLink } from '../store/workers/store-server.ts';
import { serveConnections } from './connections.ts';
import { FirstMember } from './first-member.ts';
import { listenAt } from './listen.ts';
import { PIPE_BYTES } from './run-worker.ts';
import { type ConnectWorker, WorkerPool } from './worker-pool.ts';

interface RunWorkersOptions {
  /** Whether a SQLite database may be created beside the files of a lost one. */
  readonly isNewDatabaseAllowed: boolean;
}

/**
 * Runs the service in several processes. This one accepts all connections, serves its share of them, and does all writes to
 * a SQLite file. The others serve the rest. With PostgreSQL each of them is a process like any other.
 */
export async function runWorkers(config: Config, { isNewDatabaseAllowed }: RunWorkersOptions): Promise<void> {
  let connectStore: ((send: (message: StoreMessage) => void) => WorkerLink) | undefined;
  let pool: WorkerPool | undefined;
  const openShared: typeof openStore = async (database, options) => {
    if (database.kind === 'postgres') return openStore(database, options);
    const { onCommit, onMessage = () => {} } = options;
    const opened = await openStore(database, { ...options, onOwnCommit: () => server.committed() });
    const server = new StoreServer(opened, { refusals: REFUSAL_CODEC, onCommit, onMessage });
    connectStore = (send) => server.connect(send);
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
  const member = new FirstMember();
  const { checks, shareCalls, streams } = member;
  const group = { openStore: openShared, shareMetrics, checks, shareCalls, streams };
  const app = await createApp(config, { isNewDatabaseAllowed, group, logger });
  const connect: ConnectWorker = (send) => {
    const toStore = connectStore?.((message) => send({ type: 'store', ...message }));
    const toMember = member.connect(send);
    return {
      receive(message) {
        if (message.type === 'store') toStore?.receive(message);
        else toMember.receive(message);
      },
      close() {
        toStore?.close();
        toMember.close();
      },
    };
  };
  const servers: Server[] = [];
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const server of servers) server.close();
    // Until they have ended, they need what this process knows.
    await pool?.stop();
  });
  // Its hook waits for connections, so that of the servers is before it.
  const serve = serveConnections(app);
  pool = new WorkerPool({ count: config.workers - 1, log: app.log, connect, serve, collect });
  const workers = pool;
  await app.ready();
  const stop = stopSignal({ timeoutMs: STOP_TIMEOUT_MS });
  closeOnStop(app, stop);
  try {
    await pool.start();
    if (isClosing) return;
    const listening = await listenAt(config.server, (socket) => workers.pass(socket));
    servers.push(...listening.servers);
    if (isClosing) return void servers.map((server) => server.close());
    // In the words of Fastify, for programs that wait for them.
    for (const url of listening.urls) app.log.info(`Server listening at ${url}`);
  } catch (error) {
    await app.close();
    // The signal has ended workers that were starting.
    if (!stop.aborted) throw error;
  }
}
