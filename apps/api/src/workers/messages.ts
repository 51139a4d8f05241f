import type { ProcessMetrics, WorkerMetrics } from '../ops/metrics-of-workers.ts';
import type { StoreMessage, WorkerMessage } from '../store/workers/messages.ts';

/** Message of a worker to the first process. */
export type FromWorker =
  | ({ readonly type: 'store' } & WorkerMessage)
  /** It can serve connections. */
  | { readonly type: 'ready' }
  /** It needs the metrics of all processes. */
  | { readonly type: 'collect-metrics'; readonly id: number }
  /** Its metrics. */
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: ProcessMetrics };

/** Message of the first process to a worker. */
export type ToWorker =
  | ({ readonly type: 'store' } & StoreMessage)
  /** Has the socket of a client with it. */
  | { readonly type: 'connection' }
  /** It sends its metrics. */
  | { readonly type: 'send-metrics'; readonly id: number }
  /** The metrics that it needed. */
  | { readonly type: 'all-metrics'; readonly id: number; readonly workers: readonly WorkerMetrics[] }
  /** It drains its connections, and ends. */
  | { readonly type: 'stop' };
