import type { ShareCalls } from './auth/shared-calls.ts';
import type { SharedChecks } from './auth/shared-checks.ts';
import type { StreamCounts } from './follow/stream-limit.ts';
import type { ShareMetrics } from './ops/metrics-of-workers.ts';
import type { openStore } from './store/open-store.ts';

/** What the processes of one service have in common: the operator has started one service, with one set of limits. */
export interface ProcessGroup {
  /** Opens the store that all of them use. */
  readonly openStore: typeof openStore;
  readonly shareMetrics: ShareMetrics;
  readonly checks: SharedChecks;
  readonly shareCalls: ShareCalls;
  /** The open streams of all processes. */
  readonly streams: StreamCounts;
}
