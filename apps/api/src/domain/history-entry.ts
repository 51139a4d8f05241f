import type { ChangeKind, FieldChange, FieldChanges, HistoryEntry } from '@guild-settings/contract';
import type { Change, LoggedChange } from '../store/guild-store.ts';

export function fieldChanges(change: Pick<Change, 'before' | 'after'> | undefined): FieldChanges {
  const changes: Record<string, FieldChange> = {};
  if (change === undefined) return changes;
  const { before, after } = change;
  for (const field of Object.keys(after)) changes[field] = { from: before[field], to: after[field] };
  return changes;
}

export function kindOf({ origin, after }: Pick<Change, 'origin' | 'after'>): ChangeKind {
  if (origin === 'platform') return 'platform';
  return isOfAccess({ after }) ? 'access' : 'settings';
}

export function isOfAccess({ after }: Pick<Change, 'after'>): boolean {
  return Object.hasOwn(after, 'access');
}

export function entryOf(change: LoggedChange): HistoryEntry {
  const { revision, at, actor, origin, reason, target, undoneBy } = change;
  return {
    revision,
    at: new Date(at).toISOString(),
    kind: kindOf(change),
    actor: { kind: actor.kind, id: actor.id === '' ? null : actor.id },
    origin,
    reason,
    changes: fieldChanges(change),
    ...(origin === 'undo' && target != null && { undoes: target }),
    ...(origin === 'restore' && target != null && { restores: target }),
    ...(undoneBy !== null && { undoneBy }),
  };
}
