import type { Store } from '../store.ts';

/** The operations of a store that a worker has the first process do: those that change something, and rare ones. */
export const CALLED_METHODS = [
  'writeAll',
  'guildsNotLeft',
  'markShardReported',
  'prune',
  'recordRetentionRun',
  'keepTokenCheck',
  'forgetTokenCheck',
  'saveWatchers',
  'deleteWatchers',
  'watchersVersion',
  'forget',
  'applyLedger',
  'countErasures',
  'finishErasures',
  'probeWrite',
] as const satisfies readonly (keyof Store)[];

/** Name of one of the {@link CALLED_METHODS}. */
export type CalledMethod = (typeof CALLED_METHODS)[number];

/** Call of an operation; `id` is that of its answer. */
export interface Call {
  readonly id: number;
  readonly method: CalledMethod;
  readonly args: readonly unknown[];
}

/** Answer to a call: its result, or the error by which it was rejected. */
export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: EncodedError };

/** Message of a worker: what it has called and broadcast since the last one. */
export interface WorkerMessage {
  readonly calls: readonly Call[];
  readonly broadcasts: readonly string[];
}

/** Message to a worker: what has happened since the last one. */
export interface StoreMessage {
  /** Whether a commit may have changed guilds. */
  readonly isCommitted: boolean;
  /** Messages that other processes have broadcast. */
  readonly broadcasts: readonly string[];
  readonly answers: readonly Answer[];
}

/** An error as plain data. */
export type EncodedError =
  | { readonly kind: 'refusal'; readonly refusal: unknown }
  | {
      readonly kind: 'unavailable' | 'unconfirmed' | 'other';
      readonly message: string;
      readonly stack?: string;
      readonly cause?: EncodedError;
    };

/** Conversion of the errors by which commands are refused, which belong to the interpreter of the commands. */
export interface RefusalCodec {
  /** Returns a refusal as plain data; undefined: the error is none. */
  encode(error: unknown): unknown;
  decode(refusal: unknown): Error;
}
