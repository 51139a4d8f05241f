import { isSameValue } from '@guild-settings/contract/settings';
import { replaceEqualDeep } from '@tanstack/react-query';
import { type Draft, type Edit, settled, type Theirs } from './draft.ts';
import { type DraftField, hasSameValue, pick, settingOf, type Value, valueIn } from './fields.ts';

/**
 * Takes over what the service has. Edits stay. A draft that has it already is returned as it is.
 * @param when `newer`: an answer that may have been overtaken by a later one is ignored
 */
export function received(draft: Draft, theirs: Theirs, when: 'newer' | 'always' = 'newer'): Draft {
  const known = draft.theirs;
  if (when === 'newer' && theirs.upTo < known.upTo) return draft;
  // The author of another value is not the one of the value before.
  const same = Object.keys(known.changedBy).filter((field) => hasSameValue(field, known.settings, theirs.settings));
  const changedBy = { ...pick(known.changedBy, same), ...theirs.changedBy };
  const changed = replaceEqualDeep(known, { ...theirs, changedBy });
  if (changed === known) return draft;
  // A person knows of a value of the service that equals theirs: setting it back is a change of others.
  const edits = mapEdits(draft, (field, edit) =>
    isSameValue(valueIn(known.settings, field), edit.mine) ? { ...edit, base: edit.mine } : edit,
  );
  return settled({ ...draft, theirs: changed, edits });
}

/** Remembers what is sent: meanwhile the person goes on. */
export function sent(draft: Draft): Draft {
  return { ...draft, sent: new Map([...draft.edits].map(([field, { mine }]) => [field, mine])) };
}

/**
 * Takes over the answer to what was sent. What was set since then stays, as an edit of the saved value.
 * The answer may be older than what is known: a later change of others stays, with its author, and so does what the person decided on it.
 */
export function saved(draft: Draft, theirs: Theirs): Draft {
  const values = draft.sent ?? new Map<DraftField, Value>();
  const settings = new Set<string>([...values.keys()].map(settingOf));
  const changedBy = Object.fromEntries(
    Object.entries(draft.theirs.changedBy).filter(
      ([field, { revision }]) => !settings.has(field) || revision > theirs.upTo,
    ),
  );
  const answered = received({ ...draft, theirs: { ...draft.theirs, changedBy } }, theirs);
  const edits = mapEdits(answered, (field, edit) => {
    const base = values.get(field);
    if (base === undefined) return edit;
    return isSameValue(edit.mine, base) ? undefined : { ...edit, base };
  });
  return settled({ ...answered, edits, sent: undefined });
}

/**
 * Takes over the result of an own undo: what was typed over a value that it has replaced is an edit of the restored value.
 * @param restored the values before the change that was undone
 */
export function undone(draft: Draft, theirs: Theirs, restored: ReadonlyMap<DraftField, Value>): Draft {
  const known = draft.theirs;
  if (theirs.upTo < known.upTo) return received(draft, theirs);
  const edits = mapEdits(draft, (field, edit) => {
    const value = valueIn(theirs.settings, field);
    // Another value than the restored one is a change of others.
    const isRestored =
      isSameValue(edit.base, valueIn(known.settings, field)) && isSameValue(restored.get(field), value);
    return isRestored ? { ...edit, base: value } : edit;
  });
  return received({ ...draft, edits }, theirs);
}

/** Ends the sending without success. @param theirs what the service said that it has */
export function refused(draft: Draft, theirs?: Theirs): Draft {
  const unsent = settled({ ...draft, sent: undefined });
  return theirs === undefined ? unsent : received(unsent, theirs, 'always');
}

/** Returns the edits of a draft, each as a function returns it; undefined: without it. */
function mapEdits(
  { edits }: Draft,
  change: (field: DraftField, edit: Edit) => Edit | undefined,
): ReadonlyMap<DraftField, Edit> {
  return new Map(
    [...edits].flatMap(([field, edit]) => {
      const changed = change(field, edit);
      return changed === undefined ? [] : [[field, changed] as const];
    }),
  );
}
