import cluster, { type Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { StoreMessage } from '../store/workers/messages.ts';
import type { WorkerLink } from '../store/workers/store-server.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** Shortest time between two starts of the same worker. */
const START_INTERVAL_MS = 1_000;

export interface WorkerPoolOptions {
  readonly count: number;
  /** Serves a connection in the first process. */
  readonly serve: (socket: Socket) => void;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
  /** Connects a worker to the store; undefined: workers open it themselves. */
  readonly connect: ((send: (message: StoreMessage) => void) => WorkerLink) | undefined;
}

/** The workers beside the first process: each is replaced when it ends, and all are stopped together. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #exits = new Map<Worker, Promise<void>>();
  /** Those that serve connections, with the sockets that are on the way to them. */
  readonly #ready: { readonly worker: Worker; readonly passing: Set<Socket> }[] = [];
  readonly #stopping = new AbortController();
  #isStarted = false;
  #next = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    cluster.setupPrimary({ serialization: 'advanced' });
  }

  /** Starts the workers. Resolves when all are ready. @throws when one ends before */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.count }, () => this.#fork()));
    this.#isStarted = true;
  }

  /** Has the next process in turn serve a connection. The first process has its turn as well. */
  pass(socket: Socket): void {
    this.#next = (this.#next + 1) % (this.#ready.length + 1);
    const { worker, passing } = this.#ready[this.#next] ?? {};
    if (!worker?.isConnected()) {
      this.#options.serve(socket);
      return;
    }
    passing?.add(socket);
    worker.send({ type: 'connection' } satisfies ToWorker, socket, (error) => {
      passing?.delete(socket);
      if (error) socket.destroy();
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

  /** Ends the workers at once. */
  kill(): void {
    this.#stopping.abort();
    for (const worker of this.#exits.keys()) worker.process.kill('SIGKILL');
  }

  /** Starts a worker. Resolves when it is ready. @throws when it ends before */
  #fork(): Promise<void> {
    const worker = cluster.fork();
    const startedAt = performance.now();
    const link = this.#options.connect?.((message) => send(worker, { type: 'store', ...message }));
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => {
        link?.close();
        this.#exits.delete(worker);
        const index = this.#ready.findIndex((one) => one.worker === worker);
        const [ended] = index < 0 ? [] : this.#ready.splice(index, 1);
        // Node sends one socket at a time, and forgets those that wait for their turn.
        for (const socket of ended?.passing ?? []) this.pass(socket);
        resolve();
        if (!this.#isStarted || this.#stopping.signal.aborted) return;
        this.#options.log.error({ worker: worker.process.pid, code, signal }, 'a worker has ended, and is replaced');
        void this.#replace(startedAt + START_INTERVAL_MS - performance.now());
      });
    });
    this.#exits.set(worker, exited);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'store') link?.receive(message);
        else {
          this.#ready.push({ worker, passing: new Set() });
          resolve();
        }
      });
      void exited.then(() => reject(new Error('Expected a worker to start, but it has ended')));
    });
  }

  async #replace(waitMs: number): Promise<void> {
    const { signal } = this.#stopping;
    if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => {});
    // One that ends before it is ready is replaced again.
    if (!signal.aborted) await this.#fork().catch(() => {});
  }
}

function send(worker: Worker, message: ToWorker): void {
  // Fails when the worker has ended, which is handled by its exit.
  if (worker.isConnected()) worker.send(message, () => {});
}
