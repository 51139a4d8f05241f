import cluster, { type Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { ProcessMetrics, WorkerMetrics } from '../ops/metrics-of-workers.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { OWN_WORKER } from './own-worker.ts';
import { WorkerChannel } from './worker-channel.ts';

/** Time in which what a worker has sent before its end is received. */
const LAST_MESSAGES_MS = 50;

/** Time in which a worker sends its metrics. */
const METRICS_TIMEOUT_MS = 1_000;

/** Shortest time between two starts of the same worker. */
const START_INTERVAL_MS = 1_000;

/** Time that workers have to end: they finish their requests in five seconds. One that is suspended does not end by itself. */
const END_TIMEOUT_MS = 6_000;

/** Time between two checks that workers take their messages. One that takes none at ten of them is replaced. */
const STUCK_CHECK_INTERVAL_MS = 1_000;

const NOT_STARTED = 'a worker could not start, and is started again';

/** Connects what the processes share to a worker, to which messages can be sent. */
export type ConnectWorker = (send: (message: ToWorker) => void) => {
  receive(message: FromWorker): void;
  /** The worker has ended. */
  close(): void;
};

/** The number of workers, and what connects them to the first process. */
export interface WorkerPoolOptions {
  readonly count: number;
  /** Serves a connection in the first process. */
  readonly serve: (socket: Socket) => void;
  readonly log: Pick<FastifyBaseLogger, 'error' | 'info'>;
  /** Collects the metrics of all processes. */
  readonly collect: () => Promise<readonly WorkerMetrics[]>;
  readonly connect: ConnectWorker;
}

/** What Node has of a connection. Closing it again does nothing. */
type Handle = { close(): void } | null | undefined;

/** A worker that serves connections. Node sends it one socket at a time, after the receipt of the one before. */
interface ReadyWorker {
  /** From 1: the first process is 0. */
  readonly slot: number;
  readonly worker: Worker;
  readonly channel: WorkerChannel;
  /** The sockets that wait for their turn. */
  readonly waiting: Set<Socket>;
  /** The last one that was sent. */
  sent?: Handle;
  /** Whether the last request for its metrics was not answered in time. */
  isSilent?: boolean;
}

/** The workers beside the first process: each is replaced when it ends, and all are stopped together. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #exits = new Map<Worker, Promise<void>>();
  readonly #channels = new Map<Worker, WorkerChannel>();
  /** Those that serve connections. */
  readonly #ready: ReadyWorker[] = [];
  readonly #stopping = new AbortController();
  #isStarted = false;
  #next = 0;
  #requests = 0;
  /** Receives the metrics of workers, by the id of the request. */
  readonly #collecting = new Map<number, (metrics: ProcessMetrics) => void>();

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    cluster.setupPrimary({ serialization: 'advanced' });
  }

  /** Starts the workers. Resolves when all are ready. @throws when one ends before */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.count }, (_, index) => this.#fork(index + 1)));
    this.#isStarted = true;
    const checks = setInterval(() => this.#killStuck(), STUCK_CHECK_INTERVAL_MS).unref();
    this.#stopping.signal.addEventListener('abort', () => clearInterval(checks));
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
    next.channel.sendSocket({ type: 'connection' }, socket, (error) => {
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
      for (const worker of this.#exits.keys()) {
        const ready = this.#ready.find((one) => one.worker === worker);
        if (ready) ready.channel.send({ type: 'stop' });
        // It has no connection yet, and may not receive messages yet.
        else worker.process.kill('SIGKILL');
      }
    }
    const timer = setTimeout(() => this.#killAll(), END_TIMEOUT_MS);
    await Promise.all(this.#exits.values());
    clearTimeout(timer);
  }

  #killAll(): void {
    for (const { process } of this.#exits.keys()) {
      this.#options.log.error({ worker: process.pid }, 'a worker has not ended in time, and is killed');
      process.kill('SIGKILL');
    }
  }

  /** A suspended worker would keep its clients waiting, and what it is sent would fill the memory of this process. */
  #killStuck(): void {
    for (const [worker, channel] of this.#channels) {
      if (!channel.isStuck()) continue;
      this.#options.log.error({ worker: worker.process.pid }, 'a worker takes no messages, and is killed');
      worker.process.kill('SIGKILL');
    }
  }

  /** Returns an entry for each worker, without metrics for one that does not send them within a second, or is not ready. */
  collectMetrics(): Promise<readonly WorkerMetrics[]> {
    const slots = Array.from({ length: this.#options.count }, (_, index) => index + 1);
    return Promise.all(
      slots.map(async (slot) => {
        const ready = this.#ready.find((one) => one.slot === slot);
        const metrics = ready && (await this.#metricsOf(ready));
        return { worker: String(slot), ...(metrics && { metrics }) };
      }),
    );
  }

  /** Requests the metrics of a worker. Logs when it begins and when it ceases not to send them. */
  #metricsOf(ready: ReadyWorker): Promise<ProcessMetrics | undefined> {
    const { channel } = ready;
    const id = this.#requests++;
    return new Promise((resolve) => {
      const finish = (metrics?: ProcessMetrics) => {
        clearTimeout(timeout);
        this.#collecting.delete(id);
        this.#logSilence(ready, metrics === undefined);
        resolve(metrics);
      };
      const timeout = setTimeout(finish, METRICS_TIMEOUT_MS);
      this.#collecting.set(id, finish);
      channel.send({ type: 'send-metrics', id });
    });
  }

  #logSilence(ready: ReadyWorker, isSilent: boolean): void {
    // One that has ended in the meantime is logged by its exit.
    if (isSilent === (ready.isSilent ?? false) || !this.#ready.includes(ready)) return;
    ready.isSilent = isSilent;
    const { log } = this.#options;
    const fields = { worker: ready.worker.process.pid };
    if (isSilent) log.error(fields, 'a worker does not respond: it is suspended, or too busy');
    else log.info(fields, 'a worker responds again');
  }

  async #sendMetrics(channel: WorkerChannel, id: number): Promise<void> {
    const workers = await this.#options.collect().catch(() => []);
    channel.send({ type: 'all-metrics', id, workers });
  }

  /** Starts a worker. Resolves when it is ready. @throws when it ends before */
  async #fork(slot: number): Promise<void> {
    const startedAt = performance.now();
    const replace = () => this.#replace(slot, startedAt + START_INTERVAL_MS - performance.now());
    let worker: Worker;
    try {
      worker = cluster.fork(OWN_WORKER);
    } catch (err) {
      if (this.#isStarted) {
        this.#options.log.error({ err }, NOT_STARTED);
        void replace();
      }
      throw err;
    }
    const channel = new WorkerChannel(worker);
    this.#channels.set(worker, channel);
    const link = this.#options.connect(channel.send);
    const exited = endOf(worker).then((end) => {
      link.close();
      const wasReady = this.#forget(worker);
      this.#exits.delete(worker);
      this.#channels.delete(worker);
      // The start has failed.
      if (!this.#isStarted && !wasReady) return;
      if (this.#stopping.signal.aborted) return;
      const what = wasReady ? 'a worker has ended, and is replaced' : NOT_STARTED;
      this.#options.log.error({ worker: worker.process.pid, ...end }, what);
      void replace();
    });
    this.#exits.set(worker, exited);
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        link.receive(message);
        if (message.type === 'collect-metrics') void this.#sendMetrics(channel, message.id);
        if (message.type === 'metrics') this.#collecting.get(message.id)?.(message.metrics);
        if (message.type === 'ready') {
          this.#ready.push({ slot, worker, channel, waiting: new Set() });
          resolve();
        }
      });
      void exited.then(() => reject(new Error('Expected a worker to start, but it has ended')));
    });
  }

  /**
   * Passes no more connections on to a worker that has ended. Those that it has not received are served by others, and the one
   * that was on the way is closed: Node would wait for its receipt without end. Returns whether it was ready.
   */
  #forget(worker: Worker): boolean {
    const index = this.#ready.findIndex((one) => one.worker === worker);
    const [ended] = index < 0 ? [] : this.#ready.splice(index, 1);
    if (ended === undefined) return false;
    setTimeout(() => {
      ended.sent?.close();
      for (const socket of ended.waiting) this.pass(socket);
    }, LAST_MESSAGES_MS);
    return true;
  }

  async #replace(slot: number, waitMs: number): Promise<void> {
    const { signal } = this.#stopping;
    if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => {});
    // One that ends before it is ready is replaced again.
    if (!signal.aborted) await this.#fork(slot).catch(() => {});
  }
}

/** How a worker ended. */
type End = { readonly code: number | null; readonly signal: string | null } | { readonly err: Error };

/** Resolves when a worker has ended, or could not be started: while its program is replaced, or without memory for it. */
function endOf(worker: Worker): Promise<End> {
  return new Promise((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }));
    worker.on('error', (err) => {
      if (worker.process.pid === undefined) resolve({ err });
    });
  });
}
