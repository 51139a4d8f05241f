import type { Conflict, GuildSettings } from '@guild-settings/contract';
import type { LoggedChange } from '../store/store.ts';
import { entryOf } from './history-entry.ts';

type Field = keyof GuildSettings;

/** What undoing a change would do to the settings. */
export interface UndoPlan {
  /** The fields to put back, with their values before the change. */
  readonly patch: Partial<GuildSettings>;
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
 * @param settings the settings now
 * @param walkLater visits all changes of the guild after it, the newest first, until a visit returns true
 */
export async function planUndo(
  target: LoggedChange,
  settings: GuildSettings,
  walkLater: (visit: (lines: readonly LoggedChange[]) => boolean) => Promise<void>,
): Promise<UndoPlan> {
  const names = Object.keys(target.after).filter((name): name is Field => Object.hasOwn(settings, name));
  const differing = names.filter((field) => !isEqual(settings[field], target.before[field]));
  const traces = new Map(differing.map((field): [Field, Trace] => [field, { upTo: Number.POSITIVE_INFINITY }]));
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
        conflicts.push({ field, from: target.after[field], to: settings[field], revision, at, actor });
      }
    }
    return isTraced();
  });
  const patch = Object.fromEntries([...traces.keys()].map((field) => [field, target.before[field]]));
  return { patch: patch as Partial<GuildSettings>, conflicts };
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
