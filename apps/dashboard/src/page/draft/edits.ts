import { type Draft, settled, viewOf } from './draft.ts';
import { type ScalarField, type Scalars, without } from './fields.ts';

/** Sets a field. The value that the service has is no edit. */
export function edit<F extends ScalarField>(draft: Draft, field: F, value: Scalars[F]): Draft {
  const { theirs, mine, base } = draft;
  const known = theirs.settings[field];
  const before = viewOf(draft).conflicts.includes(field) ? base[field] : known;
  return settled({ ...draft, mine: { ...mine, [field]: value }, base: { ...base, [field]: before } });
}

/** Switches a feature. In a conflict, that is a decision. */
export function switchFeature(draft: Draft, name: string, isOn: boolean): Draft {
  const decided = viewOf(draft).featureConflicts.includes(name) ? resolveFeature(draft, name, 'mine') : draft;
  return settled({
    ...decided,
    switched: new Map(draft.switched).set(name, isOn),
    overruled: withoutItem(draft.overruled, name),
  });
}

/** Ends a conflict with one of the two values. */
export function resolve(draft: Draft, field: ScalarField, value: 'mine' | 'theirs'): Draft {
  const { theirs, mine, base } = draft;
  const decided = [...draft.decided, field];
  if (value === 'theirs') return { ...draft, decided, mine: without(mine, field), base: without(base, field) };
  return { ...draft, decided, base: { ...base, [field]: theirs.settings[field] } };
}

/** Ends the conflict about a feature: it stays as the person has switched it, or as the service has it. */
export function resolveFeature(draft: Draft, name: string, value: 'mine' | 'theirs'): Draft {
  const switched = new Map(draft.switched);
  if (value === 'theirs') switched.delete(name);
  const decidedFeatures = [...draft.decidedFeatures, name];
  return { ...draft, switched, decidedFeatures, overruled: withoutItem(draft.overruled, name) };
}

/** Discards all edits. */
export function reset(draft: Draft): Draft {
  const { conflicts, featureConflicts } = viewOf(draft);
  return {
    ...draft,
    mine: {},
    base: {},
    switched: new Map(),
    overruled: new Set(),
    decided: [...draft.decided, ...conflicts],
    decidedFeatures: [...draft.decidedFeatures, ...featureConflicts],
  };
}

function withoutItem(items: ReadonlySet<string>, item: string): ReadonlySet<string> {
  return new Set([...items].filter((other) => other !== item));
}
