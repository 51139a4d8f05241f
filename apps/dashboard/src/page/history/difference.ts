import { CHANGED_FIELDS } from './changed-fields.ts';
import type { ShownChanges } from './entry.ts';
import { isListOfTexts, type ShownValue, shownValue } from './value.ts';
import { shorten, type Words } from './words.ts';

/** Fields of one change that are shown: more than there are. */
const MAX_FIELDS = 16;

/** Names of features that are added or removed. */
export interface FeatureChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** One changed field for readers. */
export interface DifferenceRow {
  readonly field: string;
  readonly label: string;
  readonly from: ShownValue;
  readonly to: ShownValue;
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
      label: fieldLabel(field, words),
      from: shownValue(field, from, words),
      to: shownValue(field, to, words),
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

/** Returns the label of a field; the name of a field that this version does not know. */
export function fieldLabel(field: string, { t }: Pick<Words, 't'>): string {
  return isKnownField(field) ? t(`label.${field}`) : shorten(field);
}

/** Returns the name of a field within a sentence; the name of a field that this version does not know. */
export function fieldObject(field: string, { t }: Pick<Words, 't'>): string {
  return isKnownField(field) ? t(`object.${field}`) : shorten(field);
}

/** Returns what a list of features gained and lost; undefined: nothing, or the values are no lists of names. */
export function featureChange(from: unknown, to: unknown): FeatureChange | undefined {
  if (!isListOfTexts(from) || !isListOfTexts(to)) return undefined;
  const added = to.filter((name) => !from.includes(name));
  const removed = from.filter((name) => !to.includes(name));
  return added.length + removed.length > 0 ? { added, removed } : undefined;
}

function isKnownField(field: string): field is (typeof CHANGED_FIELDS)[number] {
  return (CHANGED_FIELDS as readonly string[]).includes(field);
}
