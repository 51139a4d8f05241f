import type { RecordSettings } from '@guild-settings/contract';
import { isSameValue, patchOf, type SettingsPatch, type SettingValue } from '@guild-settings/contract/settings';
import { replaceEqualDeep } from '@tanstack/react-query';
import {
  type DraftField,
  hasSameValue,
  placeOf,
  settingOf,
  type Theirs,
  type Value,
  valueIn,
  withValues,
} from './fields.ts';

export interface Edit {
  readonly mine: SettingValue;
  /** The value of the service that the person has seen: another one is a change by others. */
  readonly base: Value;
  /** The value is the default, which the setting follows from then on. */
  readonly isReset?: true;
}

/**
 * The unsaved edits of a person, with the settings of the service. Immutable: each function returns a new draft. An
 * edit stays, regardless of changes by others, until it is saved, reset, or given up in a conflict.
 */
export interface Draft {
  readonly theirs: Theirs;
  readonly edits: ReadonlyMap<DraftField, Edit>;
  /**
   * The values that were sent and have no answer yet; undefined: none were sent. Without the fields whose conflict the
   * person has resolved since: the answer is older than that.
   */
  readonly sent: ReadonlyMap<DraftField, Value> | undefined;
}

export function draftOf(theirs: Theirs): Draft {
  return { theirs, edits: new Map(), sent: undefined };
}

/**
 * Returns a draft without edits that the service already has, which are not unsaved changes. A pending request may
 * alter that.
 */
export function settled(draft: Draft): Draft {
  const { theirs, sent } = draft;
  const isLeft = ([field, { mine }]: readonly [DraftField, Edit]) =>
    sent?.has(field) || !isSameValue(mine, valueIn(theirs.settings, field));
  return { ...draft, edits: new Map([...draft.edits].filter(isLeft)) };
}

interface View {
  readonly settings: RecordSettings;
  /** The fields that others have set to another value. `settings` contains the person's value. */
  readonly conflicts: readonly DraftField[];
}

/** Returns the displayed settings, and the fields in which the person has to decide before the draft can be saved. */
export function viewOf(draft: Draft): View {
  const { theirs, edits } = draft;
  const conflicts = [...edits.keys()].filter((field) => isInConflict(draft, field));
  const values = new Map([...edits].map(([field, { mine }]) => [field, mine]));
  return { settings: withValues(theirs.settings, values), conflicts };
}

export function shownValue({ theirs, edits }: Draft, field: DraftField): Value {
  return edits.get(field)?.mine ?? valueIn(theirs.settings, field);
}

/** Returns true if others have set a field to a value other than the person's. */
export function isInConflict({ theirs, edits, sent }: Draft, field: DraftField): boolean {
  const edit = edits.get(field);
  if (edit === undefined) return false;
  const value = valueIn(theirs.settings, field);
  // The event of the person's own change that was just sent is not a change by others.
  return ![edit.mine, edit.base, sent?.get(field)].some((own) => isSameValue(own, value));
}

export function changesOf(draft: Draft): SettingsPatch {
  const { theirs, edits } = draft;
  const { settings } = viewOf(draft);
  const fields = new Set([...edits.keys()].map(settingOf));
  const changed = [...fields].filter((field) => !hasSameValue(field, settings, theirs.settings));
  return patchOf(changed.map((field) => [placeOf(field), sentValue(field, edits.get(field), settings)]));
}

/** Returns the value to send for a setting; null: it follows the default. */
function sentValue(field: string, edit: Edit | undefined, settings: RecordSettings): SettingValue | null {
  return edit?.isReset ? null : (valueIn(settings, field) ?? null);
}

/**
 * Sets a field. The value of the service is not an edit, and ends a conflict.
 * @param as `default`: the value is the default, which the setting follows from then on
 */
export function edit(draft: Draft, field: DraftField, mine: SettingValue, as: 'value' | 'default' = 'value'): Draft {
  const known = valueIn(draft.theirs.settings, field);
  const wasInConflict = isInConflict(draft, field);
  if (wasInConflict && isSameValue(mine, known)) return resolve(draft, field, 'theirs');
  const base = (wasInConflict ? draft.edits.get(field)?.base : undefined) ?? known;
  const edited = { mine, base, ...(as === 'default' && { isReset: true as const }) };
  return settled({ ...draft, edits: new Map(draft.edits).set(field, edited) });
}

export function resolve(draft: Draft, field: DraftField, value: 'mine' | 'theirs'): Draft {
  const edits = new Map(draft.edits);
  const edited = edits.get(field);
  if (value === 'theirs') edits.delete(field);
  else if (edited !== undefined) edits.set(field, { ...edited, base: valueIn(draft.theirs.settings, field) });
  return { ...withoutAnswer(draft, [field]), edits };
}

export function reset(draft: Draft): Draft {
  return { ...withoutAnswer(draft, viewOf(draft).conflicts), edits: new Map() };
}

function withoutAnswer(draft: Draft, fields: readonly DraftField[]): Draft {
  return { ...draft, sent: draft.sent && new Map([...draft.sent].filter(([field]) => !fields.includes(field))) };
}

/**
 * Applies the settings of the service. Edits stay. If nothing changes, the same draft is returned.
 * @param when `newer`: ignores an answer that may have been overtaken by a later one
 */
export function received(draft: Draft, theirs: Theirs, when: 'newer' | 'always' = 'newer'): Draft {
  const known = draft.theirs;
  if (when === 'newer' && theirs.upTo < known.upTo) return draft;
  // The author of another value is not that of the previous value.
  const same = Object.entries(known.changedBy).filter(([field]) =>
    hasSameValue(field, known.settings, theirs.settings),
  );
  const changedBy = { ...Object.fromEntries(same), ...theirs.changedBy };
  const changed = replaceEqualDeep(known, { ...theirs, changedBy });
  if (changed === known) return draft;
  // The person has seen the value of the service if it equals theirs: setting it back is a change by others.
  const edits = mapEdits(draft, (field, edit) =>
    isSameValue(valueIn(known.settings, field), edit.mine) ? { ...edit, base: edit.mine } : edit,
  );
  return settled({ ...draft, theirs: changed, edits });
}

/** Records the sent edits, because the person may continue meanwhile. */
export function sent(draft: Draft): Draft {
  return { ...draft, sent: new Map([...draft.edits].map(([field, { mine }]) => [field, mine])) };
}

/**
 * Applies the answer to the sent changes. Later edits stay, as edits of the saved value. The answer may be older than
 * the known state: a later change by others stays, with its author, and so does the person's decision about it.
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
 * Applies the result of the person's own undo: a value typed over the replaced value becomes an edit of the restored
 * value.
 * @param restored the values before the undone change
 */
export function undone(draft: Draft, theirs: Theirs, restored: ReadonlyMap<DraftField, Value>): Draft {
  const known = draft.theirs;
  if (theirs.upTo < known.upTo) return received(draft, theirs);
  const edits = mapEdits(draft, (field, edit) => {
    const value = valueIn(theirs.settings, field);
    // A value other than the restored one is a change by others.
    const isRestored =
      isSameValue(edit.base, valueIn(known.settings, field)) && isSameValue(restored.get(field), value);
    return isRestored ? { ...edit, base: value } : edit;
  });
  return received({ ...draft, edits }, theirs);
}

/** Ends the sending without success. @param theirs the settings of the service, if it sent them */
export function refused(draft: Draft, theirs?: Theirs): Draft {
  const unsent = settled({ ...draft, sent: undefined });
  return theirs === undefined ? unsent : received(unsent, theirs, 'always');
}

/** Returns the draft with each edit replaced by a function's result; undefined: removed. */
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
