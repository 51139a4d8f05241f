import type { Actor, RecordSettings } from '@guild-settings/contract';
import { isSameValue, patchOf, type SettingsPatch, type SettingValue } from '@guild-settings/contract/settings';
import {
  type DraftField,
  type Field,
  hasSameValue,
  placeOf,
  settingOf,
  type Value,
  valueIn,
  withValues,
} from './fields.ts';

/** The newest change of a setting, as far as it is known. */
export interface FieldChangedBy {
  readonly actor: Actor;
  readonly at: string;
  readonly revision: number;
}

export interface Theirs {
  readonly settings: RecordSettings;
  readonly revision: number;
  /** The entity tag, as the service sent it; absent: an event brought the record, and the tag is read before it is needed. */
  readonly etag?: string | undefined;
  /** The revision up to which all changes are in it: that of the record, or of the erasure. */
  readonly upTo: number;
  /** The settings that others have changed since the page was opened, and their newest changes. */
  readonly changedBy: Readonly<Record<Field, FieldChangedBy>>;
}

export interface Edit {
  readonly mine: SettingValue;
  /** The value of the service that the person knew of: another one is a change of others. */
  readonly base: Value;
  /** The value is the default: the setting follows it from then on. */
  readonly isReset?: true;
}

/**
 * The unsaved edits of a person, beside the settings of the service. A value: each function returns another one. An
 * edit stays, whatever others change, until it is saved, reset, or given up in a conflict.
 */
export interface Draft {
  readonly theirs: Theirs;
  readonly edits: ReadonlyMap<DraftField, Edit>;
  /**
   * The values that were sent and have no answer yet; undefined: none were sent. Without the fields in which the person has ended a
   * conflict since then: the answer is older than that.
   */
  readonly sent: ReadonlyMap<DraftField, Value> | undefined;
}

export function draftOf(theirs: Theirs): Draft {
  return { theirs, edits: new Map(), sent: undefined };
}

/** Returns a draft without the edits that the service has already: they are no unsaved changes. What is on its way may change that. */
export function settled(draft: Draft): Draft {
  const { theirs, sent } = draft;
  const isLeft = ([field, { mine }]: readonly [DraftField, Edit]) =>
    sent?.has(field) || !isSameValue(mine, valueIn(theirs.settings, field));
  return { ...draft, edits: new Map([...draft.edits].filter(isLeft)) };
}

export interface View {
  readonly settings: RecordSettings;
  /** The fields that others have set to something else. `settings` has them as the person wants them. */
  readonly conflicts: readonly DraftField[];
}

/** Returns the settings as the page shows them, and the fields in which a person has to decide before the draft can be saved. */
export function viewOf(draft: Draft): View {
  const { theirs, edits } = draft;
  const conflicts = [...edits.keys()].filter((field) => isInConflict(draft, field));
  const values = new Map([...edits].map(([field, { mine }]) => [field, mine]));
  return { settings: withValues(theirs.settings, values), conflicts };
}

export function shownValue({ theirs, edits }: Draft, field: DraftField): Value {
  return edits.get(field)?.mine ?? valueIn(theirs.settings, field);
}

/** Returns whether others have set a field to something else than the person wants. */
export function isInConflict({ theirs, edits, sent }: Draft, field: DraftField): boolean {
  const edit = edits.get(field);
  if (edit === undefined) return false;
  const value = valueIn(theirs.settings, field);
  // The event of an own change that was just sent is no change of others.
  return ![edit.mine, edit.base, sent?.get(field)].some((own) => isSameValue(own, value));
}

export function changesOf(draft: Draft): SettingsPatch {
  const { theirs, edits } = draft;
  const { settings } = viewOf(draft);
  const fields = new Set([...edits.keys()].map(settingOf));
  const changed = [...fields].filter((field) => !hasSameValue(field, settings, theirs.settings));
  return patchOf(changed.map((field) => [placeOf(field), sentValue(field, edits.get(field), settings)]));
}

/** Returns the value by which a setting is changed; null: it follows the default. */
function sentValue(field: Field, edit: Edit | undefined, settings: RecordSettings): SettingValue | null {
  return edit?.isReset ? null : (valueIn(settings, field) ?? null);
}
