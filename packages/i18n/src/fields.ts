import { CHANGED_FIELDS } from '@guild-settings/contract/constants';
import type { Part } from './part.ts';
import { shorten, type Words } from './words.ts';

/** Returns the label of a field; the name of a field that this version does not know. */
export function fieldLabel(field: string, { shared }: Pick<Words, 'shared'>): string {
  return isKnownField(field) ? shared(`field.${field}`) : shorten(field);
}

/** Returns the name of a field within a sentence; the name of a field that this version does not know. */
export function fieldObject(field: string, { shared }: Pick<Words, 'shared'>): Part {
  return isKnownField(field)
    ? { kind: 'text', text: shared(`object.${field}`) }
    : { kind: 'value', text: shorten(field) };
}

/** Whether a field has a name for readers. */
export function isKnownField(field: string): field is (typeof CHANGED_FIELDS)[number] {
  return (CHANGED_FIELDS as readonly string[]).includes(field);
}
