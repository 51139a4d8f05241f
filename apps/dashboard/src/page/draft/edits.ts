import { isSameValue } from '@guild-settings/contract/settings';
import { type Draft, settled, viewOf } from './draft.ts';
import { type DraftField, type Value, valueIn } from './fields.ts';

/** Sets a field. The value that the service has is no edit, and ends a conflict. */
export function edit(draft: Draft, field: DraftField, mine: Value): Draft {
  const known = valueIn(draft.theirs.settings, field);
  const isInConflict = viewOf(draft).conflicts.includes(field);
  if (isInConflict && isSameValue(mine, known)) return resolve(draft, field, 'theirs');
  const base = (isInConflict ? draft.edits.get(field)?.base : undefined) ?? known;
  return settled({ ...draft, edits: new Map(draft.edits).set(field, { mine, base }) });
}

/** Ends a conflict with one of the two values. */
export function resolve(draft: Draft, field: DraftField, value: 'mine' | 'theirs'): Draft {
  const edits = new Map(draft.edits);
  const edited = edits.get(field);
  if (value === 'theirs') edits.delete(field);
  else if (edited !== undefined) edits.set(field, { ...edited, base: valueIn(draft.theirs.settings, field) });
  return { ...withoutAnswer(draft, [field]), edits };
}

/** Discards all edits. */
export function reset(draft: Draft): Draft {
  return { ...withoutAnswer(draft, viewOf(draft).conflicts), edits: new Map() };
}

/** Returns a draft in which the answer to what was sent does not count for some fields. */
function withoutAnswer(draft: Draft, fields: readonly DraftField[]): Draft {
  return { ...draft, sent: draft.sent && new Map([...draft.sent].filter(([field]) => !fields.includes(field))) };
}
