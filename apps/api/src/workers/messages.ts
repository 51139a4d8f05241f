import type { StoreMessage, WorkerMessage } from '../store/workers/messages.ts';

/** Message of a worker to the first process. */
export type FromWorker =
  | ({ readonly type: 'store' } & WorkerMessage)
  /** It can serve connections. */
  | { readonly type: 'ready' };

/** Message of the first process to a worker. */
export type ToWorker =
  | ({ readonly type: 'store' } & StoreMessage)
  /** Has the socket of a client with it. */
  | { readonly type: 'connection' }
  /** It drains its connections, and ends. */
  | { readonly type: 'stop' };
