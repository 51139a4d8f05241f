import type { CheckOutcome } from '../auth/authenticator.ts';
import type { CountedCalls } from '../auth/shared-calls.ts';
import type { CheckQuestion, StatedApplication } from '../auth/shared-checks.ts';
import type { ProcessMetrics, WorkerMetrics } from '../ops/metrics-of-workers.ts';
import type { EncodedError, StoreMessage, WorkerMessage } from '../store/workers/messages.ts';

/** Message of a worker to the first process. */
export type FromWorker =
  | ({ readonly type: 'store' } & WorkerMessage)
  /** It can serve connections. */
  | { readonly type: 'ready' }
  /** It needs the metrics of all processes. */
  | { readonly type: 'collect-metrics'; readonly id: number }
  /** Its metrics. */
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: ProcessMetrics }
  | FromMember;

/** Message of the first process to a worker. */
export type ToWorker =
  | ({ readonly type: 'store' } & StoreMessage)
  /** Has the socket of a client with it. */
  | { readonly type: 'connection' }
  /** It sends its metrics. */
  | { readonly type: 'send-metrics'; readonly id: number }
  /** The metrics that it needed. */
  | { readonly type: 'all-metrics'; readonly id: number; readonly workers: readonly WorkerMetrics[] }
  /** Nothing: that it is taken shows that the worker runs. */
  | { readonly type: 'check' }
  /** It drains its connections, and ends. */
  | { readonly type: 'stop' }
  | ToMember;

/** Message of the limits of a worker, or a question to those of the first process. */
export type FromMember =
  | CallsMessage
  | ({ readonly type: 'question'; readonly id: number } & Question)
  /** A stream of this caller has ended; undefined: the application. */
  | { readonly type: 'close-stream'; readonly userId: string | undefined };

/** What the first process knows for all. */
export type Question =
  | CheckQuestion
  /** Whether the caller may have one more stream, which is counted then; undefined: the application. */
  | { readonly of: 'stream'; readonly userId: string | undefined };

/** Message of the first process to the limits of a worker. */
export type ToMember =
  | CallsMessage
  | { readonly type: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly type: 'checked'; readonly outcome: CheckOutcome }
  /** What Discord has stated. */
  | { readonly type: 'application'; readonly application: StatedApplication };

/** Answer to a question: its result, or why there is none. */
export type Answer = { readonly result: unknown } | { readonly error: EncodedError };

/** Calls that another process has counted. */
interface CallsMessage {
  readonly type: 'calls';
  readonly counted: readonly CountedCalls[];
}
