import type { WriteTarget } from '../store/guild-store.ts';
import type { Records } from './record.ts';

export interface CommandTarget extends WriteTarget {
  readonly nowMs: number;
  readonly monotonicMs: number;
  readonly records: Records;
}
