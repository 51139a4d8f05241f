import type { HistoryEntry } from '@guild-settings/contract';

/** A value before and after a change, as JSON has it: a value may be missing. */
export interface ShownChange {
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Changed fields, by name. */
export type ShownChanges = Readonly<Record<string, ShownChange>>;

/** A change of a guild as a reader receives it. */
export interface Entry extends Omit<HistoryEntry, 'changes'> {
  readonly changes: ShownChanges;
}
