import cluster, { type Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { WorkerMetrics } from '../ops/metrics-of-workers.ts';
import type { StoreMessage } from '../store/workers/messages.ts';
import type { WorkerLink } from '../store/workers/store-server.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** Time in which what a worker has sent before its end is received. */
const LAST_MESSAGES_MS = 50;

/** Time in which a worker sends its metrics. */
const METRICS_TIMEOUT_MS = 1_000;

/** Shortest time between two starts of the same worker. */
const START_INTERVAL_MS = 1_000;

export interface WorkerPoolOptions {
  readonly count: number;
  /** Serves a connection in the first process. */
  readonly serve: (socket: Socket) => void;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
  /** Collects the metrics of all processes. */
  readonly collect: () => Promise<readonly WorkerMetrics[]>;
  /** Connects a worker to the store; undefined: workers open it themselves. */
  readonly connect: ((send: (message: StoreMessage) => void) => WorkerLink) | undefined;
}

/** What Node has of a connection. Closing it again does nothing. */
type Handle = { close(): void } | null | undefined;

/** A worker that serves connections. Node sends it one socket at a time, after the receipt of the one before. */
interface ReadyWorker {
  /** From 1: the first process is 0. */
  readonly slot: number;
  readonly worker: Worker;
  /** The sockets that wait for their turn. */
  readonly waiting: Set<Socket>;
  /** The last one that was sent. */
  sent?: Handle;
}

/** The workers beside the first process: each is replaced when it ends, and all are stopped together. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #exits = new Map<Worker, Promise<void>>();
  /** Those that serve connections. */
  readonly #ready: ReadyWorker[] = [];
  readonly #stopping = new AbortController();
  #isStarted = false;
  #next = 0;
  #requests = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    cluster.setupPrimary({ serialization: 'advanced' });
  }

  /** Starts the workers. Resolves when all are ready. @throws when one ends before */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.count }, (_, index) => this.#fork(index + 1)));
    this.#isStarted = true;
  }

  /** Has the next process in turn serve a connection. The first process has its turn as well. */
  pass(socket: Socket): void {
    this.#next = (this.#next + 1) % (this.#ready.length + 1);
    const next = this.#ready[this.#next];
    if (!next?.worker.isConnected()) {
      this.#options.serve(socket);
      return;
    }
    const handle = (socket as { readonly _handle?: Handle })._handle;
    next.waiting.add(socket);
    next.worker.send({ type: 'connection' } satisfies ToWorker, socket, (error) => {
      next.waiting.delete(socket);
      // Node has taken the handle from the socket, and does not close it when the worker has just ended.
      if (error) handle?.close();
      else next.sent = handle;
    });
  }

  /** Has the workers finish their requests and end. Resolves when they have ended. */
  async stop(): Promise<void> {
    if (!this.#stopping.signal.aborted) {
      this.#stopping.abort();
      for (const worker of this.#exits.keys()) send(worker, { type: 'stop' });
    }
    await Promise.all(this.#exits.values());
  }

  /** Returns the metrics of the workers. One that does not send them within a second is left out. */
  async collectMetrics(): Promise<readonly WorkerMetrics[]> {
    const id = this.#requests++;
    const collected = await Promise.all(this.#ready.map((ready) => metricsOf(ready, id)));
    return collected.flatMap((metrics) => metrics ?? []);
  }

  async #sendMetrics(worker: Worker, id: number): Promise<void> {
    const workers = await this.#options.collect().catch(() => []);
    send(worker, { type: 'all-metrics', id, workers });
  }

  /** Starts a worker. Resolves when it is ready. @throws when it ends before */
  #fork(slot: number): Promise<void> {
    const worker = cluster.fork();
    const startedAt = performance.now();
    const link = this.#options.connect?.((message) => send(worker, { type: 'store', ...message }));
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => {
        link?.close();
        this.#forget(worker);
        this.#exits.delete(worker);
        resolve();
        if (!this.#isStarted || this.#stopping.signal.aborted) return;
        this.#options.log.error({ worker: worker.process.pid, code, signal }, 'a worker has ended, and is replaced');
        void this.#replace(slot, startedAt + START_INTERVAL_MS - performance.now());
      });
    });
    this.#exits.set(worker, exited);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'store') link?.receive(message);
        if (message.type === 'collect-metrics') void this.#sendMetrics(worker, message.id);
        if (message.type === 'ready') {
          this.#ready.push({ slot, worker, waiting: new Set() });
          resolve();
        }
      });
      void exited.then(() => reject(new Error('Expected a worker to start, but it has ended')));
    });
  }

  /**
   * Passes no more connections on to a worker that has ended. Those that it has not received are served by others, and the one
   * that was on the way is closed: Node waits for its receipt for ever.
   */
  #forget(worker: Worker): void {
    const index = this.#ready.findIndex((one) => one.worker === worker);
    const [ended] = index < 0 ? [] : this.#ready.splice(index, 1);
    if (ended === undefined) return;
    setTimeout(() => {
      ended.sent?.close();
      for (const socket of ended.waiting) this.pass(socket);
    }, LAST_MESSAGES_MS);
  }

  async #replace(slot: number, waitMs: number): Promise<void> {
    const { signal } = this.#stopping;
    if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => {});
    // One that ends before it is ready is replaced again.
    if (!signal.aborted) await this.#fork(slot).catch(() => {});
  }
}

/** Requests the metrics of a worker. */
function metricsOf({ slot, worker }: ReadyWorker, id: number): Promise<WorkerMetrics | undefined> {
  return new Promise((resolve) => {
    const finish = (metrics?: WorkerMetrics) => {
      clearTimeout(timeout);
      worker.off('message', receive);
      resolve(metrics);
    };
    const receive = (message: FromWorker) => {
      if (message.type === 'metrics' && message.id === id) finish({ worker: String(slot), metrics: message.metrics });
    };
    const timeout = setTimeout(finish, METRICS_TIMEOUT_MS);
    worker.on('message', receive);
    send(worker, { type: 'send-metrics', id });
  });
}

function send(worker: Worker, message: ToWorker): void {
  // Fails when the worker has ended, which is handled by its exit.
  if (worker.isConnected()) worker.send(message, () => {});
}
