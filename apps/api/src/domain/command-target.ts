import type { WriteTarget } from '../store/store.ts';
import type { Records } from './record.ts';

/** A guild that a command names, and the times of its write transaction. */
export interface CommandTarget extends WriteTarget {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly monotonicMs: number;
  /** The declared settings. */
  readonly records: Records;
}
