import { CHANGED_FIELDS } from '@guild-settings/contract/constants';
import { type Setting, SPECIFIED_SETTINGS, textIn } from '@guild-settings/contract/settings';
import type { Part } from './part.ts';
import { shorten, type Words } from './words.ts';

/** Returns the setting that a field is; undefined: it is none that is declared. */
export function settingOf(
  field: string,
  { settings = SPECIFIED_SETTINGS }: Pick<Words, 'settings'>,
): Setting | undefined {
  return settings.byField.get(field);
}

export function knownFields({ settings = SPECIFIED_SETTINGS }: Pick<Words, 'settings'>): ReadonlySet<string> {
  return new Set([...settings.byField.keys(), ...CHANGED_FIELDS]);
}

/** Returns the label of a field; the name of a field that this version does not know. */
export function fieldLabel(field: string, words: Words): string {
  return labelOf(field, words, 'field') ?? shorten(field);
}

/** Returns the name of a field within a sentence; the name of a field that this version does not know. */
export function fieldObject(field: string, words: Words): Part {
  const text = labelOf(field, words, 'object');
  if (text === undefined) return { kind: 'value', text: shorten(field) };
  return { kind: 'text', text, ...(settingOf(field, words)?.place === 'custom' && { isDeclared: true }) };
}

/** Returns what people call a field: by the texts of this package, or by those of its declaration. */
function labelOf(field: string, words: Words, form: 'field' | 'object'): string | undefined {
  const known = CHANGED_FIELDS.find((name) => name === field);
  if (known !== undefined) return words.shared(`${form}.${known}`);
  return textIn(settingOf(field, words)?.declared.label, words.language);
}
