import { type Draft, settled, viewOf } from './draft.ts';
import { type ScalarField, type Scalars, without } from './fields.ts';

/** Sets a field. The value that the service has is no edit. */
export function edit<F extends ScalarField>(draft: Draft, field: F, value: Scalars[F]): Draft {
  const { theirs, mine, base } = draft;
  const known = theirs.settings[field];
  const edited = { ...draft, mine: { ...mine, [field]: value } };
  const before = viewOf(draft).conflicts.includes(field) ? base[field] : known;
  // Set on purpose to the value of before: that must not look like a field that was left as it was.
  return settled({ ...edited, base: before === value ? without(base, field) : { ...base, [field]: before } });
}

/** Switches a feature. */
export function switchFeature(draft: Draft, name: string, isOn: boolean): Draft {
  return settled({ ...draft, switched: new Map(draft.switched).set(name, isOn) });
}

/** Ends a conflict with one of the two values. */
export function resolve(draft: Draft, field: ScalarField, value: 'mine' | 'theirs'): Draft {
  const { theirs, mine, base } = draft;
  const decided = [...draft.decided, field];
  if (value === 'theirs') return { ...draft, decided, mine: without(mine, field), base: without(base, field) };
  return { ...draft, decided, base: { ...base, [field]: theirs.settings[field] } };
}

/** Discards all edits. */
export function reset(draft: Draft): Draft {
  const decided = [...draft.decided, ...viewOf(draft).conflicts];
  return { ...draft, decided, mine: {}, base: {}, switched: new Map() };
}
