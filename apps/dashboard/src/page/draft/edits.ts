import { type Draft, viewOf } from './draft.ts';
import { type ScalarField, type Scalars, without } from './fields.ts';

/** Sets a field. The value that the service has is no edit. */
export function edit<F extends ScalarField>(draft: Draft, field: F, value: Scalars[F]): Draft {
  const { theirs, mine, base, sent } = draft;
  const known = theirs.settings[field];
  const isSent = Object.hasOwn(sent, field);
  if (value === known && !isSent) return { ...draft, mine: without(mine, field), base: without(base, field) };
  const edited = { ...draft, mine: { ...mine, [field]: value } };
  const before = viewOf(draft).conflicts.includes(field) ? base[field] : known;
  // Set on purpose to the value of before: that must not look like a field that was left as it was.
  return { ...edited, base: before === value ? without(base, field) : { ...base, [field]: before } };
}

/** Switches a feature. */
export function switchFeature(draft: Draft, name: string, isOn: boolean): Draft {
  const switched = new Map(draft.switched).set(name, isOn);
  const isSent = draft.sent.enabledFeatures !== undefined;
  if (!isSent && isOn === draft.theirs.settings.enabledFeatures.includes(name)) switched.delete(name);
  return { ...draft, switched };
}

/** Ends a conflict with one of the two values. */
export function resolve(draft: Draft, field: ScalarField, value: 'mine' | 'theirs'): Draft {
  const { theirs, mine, base } = draft;
  if (value === 'theirs') return { ...draft, mine: without(mine, field), base: without(base, field) };
  return { ...draft, base: { ...base, [field]: theirs.settings[field] } };
}

/** Discards all edits. */
export function reset(draft: Draft): Draft {
  return { ...draft, mine: {}, base: {}, switched: new Map() };
}
