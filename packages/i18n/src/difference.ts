import { fits, type ListDifference, listDifference } from '@guild-settings/contract/settings';
import type { ShownChange, ShownChanges } from './entry.ts';
import { knownFields, settingOf } from './fields.ts';
import type { Part } from './part.ts';
import { valueParts } from './value.ts';
import type { Words } from './words.ts';

/** Fields that Discord owns whose values nobody reads: the hash of an icon, and a presence, which has a sentence. */
const WITHOUT_VALUES: readonly string[] = ['icon', 'presence'];

const MAX_FIELDS = 16;

/** A changed field for readers. */
export interface DifferenceRow {
  readonly field: string;
  readonly from: readonly Part[];
  readonly to: readonly Part[];
  /** For a list: the items that it gained and lost, unless only the order has changed. */
  readonly items?: ListDifference;
}

/** Returns the changed fields that have values to read, before and after, in the order of the record; unknown fields at the end. */
export function differenceOf(changes: ShownChanges, words: Words): DifferenceRow[] {
  const fields = changedFields(changes, words).filter((field) => !WITHOUT_VALUES.includes(field));
  return fields.map((field) => {
    const { from, to } = changes[field] ?? {};
    const items = itemsOf(field, { from, to }, words);
    return {
      field,
      from: valueParts(field, from, words),
      to: valueParts(field, to, words),
      ...(items && { items }),
    };
  });
}

/** Returns what a list gained and lost; undefined: nothing but its order, or the field has other values. */
export function itemsOf(field: string, { from, to }: ShownChange, words: Words): ListDifference | undefined {
  const setting = settingOf(field, words);
  return setting !== undefined && fits(setting, from) && fits(setting, to) ? listDifference(from, to) : undefined;
}

/** Returns the names of changed fields, in the order of the record; unknown fields at the end. */
export function changedFields(changes: ShownChanges, words: Pick<Words, 'settings'> = {}): string[] {
  const known = knownFields(words);
  const others = Object.keys(changes).filter((field) => !known.has(field));
  return [...[...known].filter((field) => Object.hasOwn(changes, field)), ...others].slice(0, MAX_FIELDS);
}
