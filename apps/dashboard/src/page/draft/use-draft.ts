import type { GuildSettings } from '@guild-settings/contract';
import { useEffect, useMemo, useState } from 'react';
import { changesOf, type Draft, type Theirs, viewOf } from './draft.ts';
import { edit, reset, resolve, switchFeature } from './edits.ts';
import type { ScalarField, Scalars } from './fields.ts';
import type { Merged } from './merge.ts';
import { received, refused, saved, sent } from './saving.ts';
import { type DraftStorage, storeDraft, storedDraft } from './stored-draft.ts';

/** The draft of a page, and what can happen to it. */
export interface DraftOfPage extends Merged {
  readonly theirs: Theirs;
  /** The change to send. */
  readonly changes: Partial<GuildSettings>;
  readonly hasChanges: boolean;
  /** Whether a change was sent and has no answer yet. */
  readonly isSending: boolean;
  edit<F extends ScalarField>(field: F, value: Scalars[F]): void;
  switchFeature(name: string, isOn: boolean): void;
  resolve(field: ScalarField, value: 'mine' | 'theirs'): void;
  reset(): void;
  received(theirs: Theirs, when?: 'newer' | 'always'): void;
  sent(): void;
  saved(theirs: Theirs): void;
  refused(theirs?: Theirs): void;
}

/** What {@link useDraft} needs. */
export interface UseDraftOptions {
  /** What the service had when the page was opened. Later, call `received`. */
  readonly theirs: Theirs;
  /** The name under which the edits are kept: one for each person and guild. */
  readonly storageKey: string;
  readonly storage?: DraftStorage;
}

/** Keeps a draft as the state of a component, and in the storage of the browser's tab. */
export function useDraft({ theirs, storageKey, storage = window.sessionStorage }: UseDraftOptions): DraftOfPage {
  const [draft, setDraft] = useState<Draft>(() => storedDraft(storage, storageKey, theirs));
  useEffect(() => storeDraft(storage, storageKey, draft), [storage, storageKey, draft]);
  const actions = useMemo(
    () => ({
      edit: <F extends ScalarField>(field: F, value: Scalars[F]) => setDraft((now) => edit(now, field, value)),
      switchFeature: (name: string, isOn: boolean) => setDraft((now) => switchFeature(now, name, isOn)),
      resolve: (field: ScalarField, value: 'mine' | 'theirs') => setDraft((now) => resolve(now, field, value)),
      reset: () => setDraft(reset),
      received: (next: Theirs, when?: 'newer' | 'always') => setDraft((now) => received(now, next, when)),
      sent: () => setDraft(sent),
      saved: (next: Theirs) => setDraft((now) => saved(now, next)),
      refused: (next?: Theirs) => setDraft((now) => refused(now, next)),
    }),
    [],
  );
  return useMemo(() => {
    const changes = changesOf(draft);
    return {
      ...actions,
      ...viewOf(draft),
      theirs: draft.theirs,
      changes,
      hasChanges: Object.keys(changes).length > 0,
      isSending: Object.keys(draft.sent).length > 0,
    };
  }, [actions, draft]);
}
