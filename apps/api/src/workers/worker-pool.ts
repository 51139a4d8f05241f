import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { StoreMessage } from '../store/workers/messages.ts';
import type { WorkerLink } from '../store/workers/store-server.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** Shortest time between two starts of the same worker. */
const START_INTERVAL_MS = 1_000;

export interface WorkerPoolOptions {
  readonly count: number;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'error'>;
  /** Connects a worker to the store; undefined: workers open it themselves. */
  readonly connect: ((send: (message: StoreMessage) => void) => WorkerLink) | undefined;
}

/** The workers: they are started together, each is replaced when it ends, and all are stopped together. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #workers = new Map<Worker, { readonly exited: Promise<void> }>();
  readonly #stopping = new AbortController();
  #isStarted = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    cluster.setupPrimary({ serialization: 'advanced' });
  }

  /**
   * Starts the workers. They listen when all are ready: the first connections are for all of them.
   * @throws WorkerStartError when one ends before
   */
  async start(): Promise<void> {
    const workers = Array.from({ length: this.#options.count }, () => this.#fork());
    await Promise.all(workers.map((worker) => this.#whenReady(worker)));
    // One after another: a port that is in use is reported once.
    for (const worker of workers) await this.#listen(worker);
    this.#isStarted = true;
  }

  /** Has the workers finish their requests and end. Resolves when they have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const worker of this.#workers.keys()) send(worker, { type: 'stop' });
    await Promise.all([...this.#workers.values()].map(({ exited }) => exited));
  }

  /** Ends the workers at once. */
  kill(): void {
    this.#stopping.abort();
    for (const worker of this.#workers.keys()) worker.process.kill('SIGKILL');
  }

  #fork(): Worker {
    const worker = cluster.fork();
    const startedAt = performance.now();
    const link = this.#options.connect?.((message) => send(worker, { type: 'store', ...message }));
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'store') link?.receive(message);
    });
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => {
        link?.close();
        this.#workers.delete(worker);
        resolve();
        if (!this.#isStarted || this.#stopping.signal.aborted) return;
        this.#options.log.error({ worker: worker.process.pid, code, signal }, 'a worker has ended, and is replaced');
        void this.#replace(startedAt + START_INTERVAL_MS - performance.now());
      });
    });
    this.#workers.set(worker, { exited });
    return worker;
  }

  async #replace(waitMs: number): Promise<void> {
    const { signal } = this.#stopping;
    if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const worker = this.#fork();
    // When it ends before, it is replaced again.
    await this.#whenReady(worker)
      .then(() => this.#listen(worker))
      .catch(() => {});
  }

  /** Resolves when a worker can listen. */
  #whenReady(worker: Worker): Promise<void> {
    return this.#until(worker, (resolve) =>
      worker.on('message', (message: FromWorker) => message.type === 'ready' && resolve()),
    );
  }

  async #listen(worker: Worker): Promise<void> {
    const listening = this.#until(worker, (resolve) => worker.once('listening', resolve));
    send(worker, { type: 'listen' });
    await listening;
  }

  /** Resolves at an event of a worker. @throws WorkerStartError when it ends before */
  #until(worker: Worker, subscribe: (resolve: () => void) => unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      subscribe(resolve);
      worker.once('exit', (code: number | null) => reject(new WorkerStartError(code ?? 1)));
    });
  }
}

/** A worker has ended before it listened. It has explained why. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError';
  /** Its exit code. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('Expected a worker to listen, but it has ended');
    this.exitCode = exitCode;
  }
}

function send(worker: Worker, message: ToWorker): void {
  // Fails when the worker has ended, which is handled by its exit.
  if (worker.isConnected()) worker.send(message, () => {});
}
