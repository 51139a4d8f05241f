import {
  type Conflict,
  type FieldPatch,
  isSameValue,
  type SettingValue,
  type SetValues,
} from '@guild-settings/contract';
import type { LoggedChange } from '../store/store.ts';
import { entryOf } from './history-entry.ts';
import type { Records } from './record.ts';

/** What undoing a change would do to the settings. */
export interface UndoPlan {
  /** The fields to put back, with what was set before the change; null: nothing was. */
  readonly patch: FieldPatch;
  /** The fields that a later change has set. The undo must not overwrite them. */
  readonly conflicts: readonly Conflict[];
}

/** A field whose value is traced back to the change that it comes from. */
interface Trace {
  /** The newest change of the field. */
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
  walkLater: (visit: (lines: readonly LoggedChange[]) => boolean) => Promise<void>,
): Promise<UndoPlan> {
  const { settings } = records;
  const now = new Map(
    Object.keys(target.after).flatMap((field) => {
      const setting = settings.byField.get(field);
      return setting === undefined ? [] : [[field, settings.valueOf(set, setting)] as const];
    }),
  );
  const differing = [...now.keys()].filter((field) => !isSameValue(now.get(field), target.before[field]));
  const traces = new Map(differing.map((field): [string, Trace] => [field, { upTo: Number.POSITIVE_INFINITY }]));
  const conflicts: Conflict[] = [];
  const isTraced = () => traces.size === 0;
  if (isTraced()) return { patch: {}, conflicts };
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
        const { revision, at, actor } = entryOf(trace.newest);
        conflicts.push({ field, from: target.after[field], to: now.get(field), revision, at, actor });
      }
    }
    return isTraced();
  });
  const patch = Object.fromEntries([...traces.keys()].map((field) => [field, setBefore(target, field)]));
  return { patch, conflicts };
}

/** Returns what was set before a change; null: the field followed its default. */
function setBefore({ before, unset }: LoggedChange, field: string): SettingValue | null {
  return unset?.before.includes(field) ? null : (before[field] as SettingValue);
}
