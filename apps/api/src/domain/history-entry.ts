import type { FieldChange, FieldChanges, HistoryEntry } from '@guild-settings/contract';
import type { Change, LoggedChange } from '../store/store.ts';

/** Returns the changed fields with their values before and after; none of no change. */
export function fieldChanges(change: Pick<Change, 'before' | 'after'> | undefined): FieldChanges {
  const changes: Record<string, FieldChange> = {};
  if (change === undefined) return changes;
  const { before, after } = change;
  for (const field of Object.keys(after)) changes[field] = { from: before[field], to: after[field] };
  return changes;
}

/** Returns a change as callers read it. */
export function entryOf(change: LoggedChange): HistoryEntry {
  const { revision, at, actor, origin, reason, target, undoneBy } = change;
  return {
    revision,
    at: new Date(at).toISOString(),
    kind: origin === 'platform' ? 'platform' : 'settings',
    actor: { kind: actor.kind, id: actor.id === '' ? null : actor.id },
    origin,
    reason,
    changes: fieldChanges(change),
    ...(origin === 'undo' && target != null && { undoes: target }),
    ...(origin === 'restore' && target != null && { restores: target }),
    ...(undoneBy !== null && { undoneBy }),
  };
}
