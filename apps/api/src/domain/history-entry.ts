import type { FieldChange, FieldChanges, HistoryEntry } from '@guild-settings/contract';
import type { Change, LoggedChange } from '../store/store.ts';

/** A change of the log that has content: not an erasure. */
export type ContentChange = LoggedChange & Pick<Change, 'after'>;

/** Returns whether a line of the log has content. The line of an erasure has none. */
export function hasContent(change: LoggedChange): change is ContentChange {
  return change.after !== null;
}

/** Returns the changed fields with their values before and after; none of no change. */
export function fieldChanges(change: Pick<Change, 'before' | 'after'> | undefined): FieldChanges {
  const changes: Record<string, FieldChange> = {};
  if (change === undefined) return changes;
  const { before, after } = change;
  for (const field of Object.keys(after)) changes[field] = { from: before[field], to: after[field] };
  return changes;
}

/** Returns a change as callers read it. */
export function entryOf(change: ContentChange): HistoryEntry {
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
