import { isSameValue, type SettingValue } from '@guild-settings/contract/settings';
import { type Draft, isInConflict, settled, viewOf } from './draft.ts';
import { type DraftField, valueIn } from './fields.ts';

/**
 * Sets a field. The value that the service has is no edit, and ends a conflict.
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

/** Returns a draft in which the answer to what was sent does not count for some fields. */
function withoutAnswer(draft: Draft, fields: readonly DraftField[]): Draft {
  return { ...draft, sent: draft.sent && new Map([...draft.sent].filter(([field]) => !fields.includes(field))) };
}
