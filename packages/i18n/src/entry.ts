import type { HistoryEntry } from '@guild-settings/contract';

export interface ShownChange {
  readonly from?: unknown;
  readonly to?: unknown;
}

export type ShownChanges = Readonly<Record<string, ShownChange>>;

/** A change of a guild as a reader receives it. */
export interface Entry extends Omit<HistoryEntry, 'changes'> {
  readonly changes: ShownChanges;
}
