import { CHANGED_FIELDS } from '@guild-settings/contract/constants';
import type { ShownChanges } from './entry.ts';
import { isKnownField } from './fields.ts';
import type { Part } from './part.ts';
import { type FeatureChange, featureChange, valueParts } from './value.ts';
import type { Words } from './words.ts';

/** Fields of one change that are shown: more than there are. */
const MAX_FIELDS = 16;

/** One changed field for readers. */
export interface DifferenceRow {
  readonly field: string;
  readonly from: readonly Part[];
  readonly to: readonly Part[];
  /** For a list of features: what it gained and lost, unless only the order has changed. */
  readonly features?: FeatureChange;
}

/** Returns the changed fields with their values before and after, in the order of the record; unknown fields at the end. */
export function differenceOf(changes: ShownChanges, words: Words): DifferenceRow[] {
  return changedFields(changes).map((field) => {
    const { from, to } = changes[field] ?? {};
    const features = field === 'enabledFeatures' ? featureChange(from, to) : undefined;
    return {
      field,
      from: valueParts(field, from, words),
      to: valueParts(field, to, words),
      ...(features && { features }),
    };
  });
}

/** Returns the names of changed fields, in the order of the record; unknown fields at the end. */
export function changedFields(changes: ShownChanges): string[] {
  const known = CHANGED_FIELDS.filter((field) => Object.hasOwn(changes, field));
  const others = Object.keys(changes).filter((field) => !isKnownField(field));
  return [...known, ...others].slice(0, MAX_FIELDS);
}
