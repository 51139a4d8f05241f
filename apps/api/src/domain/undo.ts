import type { Conflict, GuildSettings } from '@guild-settings/contract';
import { type ContentChange, entryOf } from './history-entry.ts';

type Field = keyof GuildSettings;

/** What undoing a change would do to the settings. */
export interface UndoPlan {
  /** The fields to put back, with their values before the change. */
  readonly patch: Partial<GuildSettings>;
  /** The fields that a later change has set. The undo must not overwrite them. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Finds the changes that the values of some fields come from. An undo gives a field back to the change that it belonged to
 * before the undone one.
 * @param target the change that the fields belonged to at first
 * @param later the changes after it, the oldest first
 */
function ownersAfter(target: ContentChange, later: readonly ContentChange[]): ReadonlyMap<string, number> {
  /** The owners of the fields before each change; 0: a change before `target`. */
  const before = new Map<number, ReadonlyMap<string, number>>([[target.revision, new Map()]]);
  const owners = new Map(Object.keys(target.after).map((field) => [field, target.revision]));
  for (const change of later) {
    const snapshot = new Map(owners);
    before.set(change.revision, snapshot);
    const undone = change.origin === 'undo' && change.target != null ? before.get(change.target) : undefined;
    for (const field of Object.keys(change.after)) {
      if (owners.has(field)) owners.set(field, undone === undefined ? change.revision : (undone.get(field) ?? 0));
    }
  }
  return owners;
}

/**
 * Plans the undo of a change of settings.
 * @param settings the settings now
 * @param later the changes of the guild after it, the oldest first
 */
export function planUndo(target: ContentChange, settings: GuildSettings, later: readonly ContentChange[]): UndoPlan {
  const owners = ownersAfter(target, later);
  const patch: Partial<Record<Field, unknown>> = {};
  const conflicts: Conflict[] = [];
  for (const name of Object.keys(target.after)) {
    if (!Object.hasOwn(settings, name)) continue;
    const field = name as Field;
    const [value, previous] = [settings[field], target.before[field]];
    if (isEqual(value, previous)) continue;
    if (owners.get(field) === target.revision) {
      patch[field] = previous;
      continue;
    }
    const newest = later.findLast(({ after }) => Object.hasOwn(after, field)) ?? target;
    const { revision, at, actor } = entryOf(newest);
    conflicts.push({ field, from: target.after[field], to: value, revision, at, actor });
  }
  return { patch: patch as Partial<GuildSettings>, conflicts };
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
