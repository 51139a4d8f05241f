import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { changesOf, type Theirs, viewOf } from './draft.ts';
import { DraftStore } from './draft-store.ts';
import type { DraftStorage } from './stored-draft.ts';
import { tabStorage } from './tab-storage.ts';

/** What {@link useDraft} needs. */
export interface UseDraftOptions {
  /** What the service had when the page was opened. Later, call `received` of the store. */
  readonly theirs: Theirs;
  /** The name under which the edits are kept: one for each person and guild. */
  readonly storageKey: string;
  readonly storage?: DraftStorage;
}

/** Keeps a draft as long as a component is shown, and its edits in the storage of the browser's tab. */
export function useDraft({ theirs, storageKey, storage = tabStorage }: UseDraftOptions) {
  const [store] = useState(() => new DraftStore(storage, storageKey, theirs));
  const draft = useSyncExternalStore(store.subscribe, store.read);
  useEffect(() => store.keep(draft), [store, draft]);
  return useMemo(() => {
    const changes = changesOf(draft);
    const view = viewOf(draft);
    return {
      store,
      theirs: draft.theirs,
      ...view,
      hasConflict: view.conflicts.length > 0,
      /** The change to send. */
      changes,
      hasChanges: Object.keys(changes).length > 0,
      /** Whether a change was sent and has no answer yet. */
      isSending: draft.sent !== undefined,
    };
  }, [store, draft]);
}
