import { useMemo, useSyncExternalStore } from 'react';
import { changesOf, type Draft, viewOf } from './draft.ts';
import type { DraftStore } from './draft-store.ts';

/** Returns a part of a draft. A component that shows a part alone is rendered again when that part has changed. */
export function useDraftPart<Part>(store: DraftStore, partOf: (draft: Draft) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => partOf(store.read()));
}

export function useDraft(store: DraftStore) {
  const draft = useDraftPart(store, (whole) => whole);
  return useMemo(() => {
    const changes = changesOf(draft);
    const view = viewOf(draft);
    return {
      theirs: draft.theirs,
      ...view,
      hasConflict: view.conflicts.length > 0,
      changes,
      hasChanges: Object.keys(changes).length > 0,
      isSending: draft.sent !== undefined,
    };
  }, [draft]);
}
