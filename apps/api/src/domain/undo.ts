import {
  type Conflict,
  type FieldPatch,
  isSameValue,
  type SettingValue,
  type SetValues,
} from '@guild-settings/contract';
import type { LoggedChange } from '../store/guild-store.ts';
import { entryOf } from './history-entry.ts';
import type { Records } from './record.ts';

export interface UndoPlan {
  readonly patch: FieldPatch;
  /** The fields that a later change has set. The undo must not overwrite them. */
  readonly conflicts: readonly Conflict[];
}

/** A field whose value is traced back to the change that it comes from. */
export interface Trace {
  readonly now: unknown;
  /**
   * True: the value is that before the change to undo, and only the fields that are set differ. Nothing is overwritten.
   */
  readonly isSame: boolean;
  newest?: LoggedChange;
  /** The value comes from a change up to this revision: later ones have been undone. */
  upTo: number;
}

/**
 * Plans the undo of a change of settings. The value of a field is traced back from the newest change: an undo gives the
 * field back to the change that it belonged to before the undone one.
 * @param set what is set now
 * @param walkLater visits all changes of the guild after it, the newest first, until a visit returns true
 */
export async function planUndo(
  target: LoggedChange,
  { set, records }: { readonly set: SetValues; readonly records: Records },
  walkLater: WalkLater,
): Promise<UndoPlan> {
  const { settings } = records;
  const traces = new Map<string, Trace>();
  for (const field of Object.keys(target.after)) {
    const setting = settings.byField.get(field);
    if (setting === undefined) continue;
    const now = settings.valueOf(set, setting);
    const isSame = isSameValue(now, target.before[field]);
    const isSet = set[field] !== undefined;
    // A default may be another one than at the time of the change.
    const isBack = isSet === (setBefore(target, field) !== null) && (isSame || !isSet);
    if (!isBack) traces.set(field, { now, isSame, upTo: Number.POSITIVE_INFINITY });
  }
  const conflicts = await conflictsOf(target, traces, walkLater);
  const patch = Object.fromEntries([...traces.keys()].map((field) => [field, setBefore(target, field)]));
  return { patch, conflicts };
}

/** Visits all changes of a guild after one, the newest first, until a visit returns true. */
export type WalkLater = (visit: (lines: readonly LoggedChange[]) => boolean) => Promise<void>;

/** Returns the fields whose values come from a later change than the one to undo, and removes them from the traces. */
export async function conflictsOf(
  target: LoggedChange,
  traces: Map<string, Trace>,
  walkLater: WalkLater,
): Promise<Conflict[]> {
  const conflicts: Conflict[] = [];
  const isTraced = () => traces.size === 0;
  if (isTraced()) return conflicts;
  await walkLater((lines) => {
    for (const change of lines) {
      for (const [field, trace] of traces) {
        if (!Object.hasOwn(change.after, field)) continue;
        trace.newest ??= change;
        if (change.revision > trace.upTo) continue;
        const undone = change.origin === 'undo' ? (change.target ?? 0) : 0;
        if (undone > target.revision) {
          trace.upTo = undone - 1;
          continue;
        }
        traces.delete(field);
        if (trace.isSame) continue;
        const { revision, at, actor } = entryOf(trace.newest);
        conflicts.push({ field, from: target.after[field], to: trace.now, revision, at, actor });
      }
    }
    return isTraced();
  });
  return conflicts;
}

function setBefore({ before, unset }: LoggedChange, field: string): SettingValue | null {
  return unset?.before.includes(field) ? null : (before[field] as SettingValue);
}
