import type { Actor } from '@guild-settings/contract';
import { CHANGED_FIELDS } from '@guild-settings/contract/constants';
import {
  fits,
  type Item,
  isRow,
  type Row,
  type Setting,
  SPECIFIED_SETTINGS,
  textIn,
} from '@guild-settings/contract/settings';
import { durationText, fill, languageName, shorten, type Words } from './words.ts';

export type Part =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** True: a text declared by a team, which may contain markup of the place where it is shown. */
      readonly isDeclared?: true;
    }
  | { readonly kind: 'value'; readonly text: string }
  /** An emoji in the syntax of Discord's messages. */
  | { readonly kind: 'emoji'; readonly text: string }
  | { readonly kind: 'feature'; readonly id: string }
  /** A channel: an id, or another text. */
  | { readonly kind: 'channel'; readonly id: string }
  | { readonly kind: 'role'; readonly id: string }
  | { readonly kind: 'person'; readonly actor: Actor }
  | { readonly kind: 'change'; readonly revision: number };

/** Replaces `{{name}}` in a text by the parts with that name. Values are never interpreted as templates. */
export function fillParts(template: string, slots: Readonly<Record<string, readonly Part[]>>): Part[] {
  return fill(template, (name) => slots[name] ?? [], textPart);
}

/** Joins parts in the style of the language: "a, b, and c". Parts beyond `max` are counted: "a, b, and 3 more". */
export function listParts(parts: readonly (Part | readonly Part[])[], { shared, language }: Words, max = 5): Part[] {
  const count = parts.length - max;
  const shown = count > 0 ? [...parts.slice(0, max), textPart(shared('more', { count }))] : parts;
  return new Intl.ListFormat(language, { type: 'conjunction' })
    .formatToParts(shown.map((_, position) => String(position)))
    .flatMap(({ type, value }) => (type === 'element' && shown[Number(value)]) || textPart(value));
}

interface PartNames {
  /** Formats a text of a declaration; unchanged unless given. */
  readonly declared?: (text: string) => string;
  /** Unchanged unless given. */
  readonly value?: (text: string) => string;
  /** Like a value unless given. */
  readonly emoji?: (text: string) => string;
  /** Like a value unless given. */
  readonly feature?: (id: string) => string;
  /** Like a value unless given. */
  readonly role?: (id: string) => string;
  readonly person: (actor: Actor) => string;
  readonly channel: (id: string) => string;
}

export function plainText(parts: readonly Part[], names: PartNames): string {
  return parts.map((part) => plainPart(part, names)).join('');
}

function plainPart(part: Part, names: PartNames): string {
  switch (part.kind) {
    case 'person':
      return names.person(part.actor);
    case 'channel':
      return names.channel(part.id);
    case 'change':
      return `#${part.revision}`;
    case 'feature':
    case 'role':
      return names[part.kind]?.(part.id) ?? plainPart(valuePart(part.id), names);
    case 'emoji':
      return names.emoji?.(part.text) ?? plainPart(valuePart(part.text), names);
    case 'value':
      return names.value?.(part.text) ?? part.text;
    case 'text':
      return (part.isDeclared && names.declared?.(part.text)) ?? part.text;
  }
}

function textPart(text: string): Part {
  return { kind: 'text', text };
}

function valuePart(text: string): Part {
  return { kind: 'value', text: shorten(text) };
}

export function settingOf(
  field: string,
  { settings = SPECIFIED_SETTINGS }: Pick<Words, 'settings'>,
): Setting | undefined {
  return settings.byField.get(field);
}

export function knownFields({ settings = SPECIFIED_SETTINGS }: Pick<Words, 'settings'>): ReadonlySet<string> {
  return new Set([...settings.byField.keys(), ...CHANGED_FIELDS]);
}

/** Returns the label of a field, or the name of a field unknown to this version. */
export function fieldLabel(field: string, words: Words): string {
  return labelOf(field, words, 'field') ?? shorten(field);
}

/** Returns the name of a field within a sentence, or the name of a field unknown to this version. */
export function fieldObject(field: string, words: Words): Part {
  const text = labelOf(field, words, 'object');
  if (text === undefined) return { kind: 'value', text: shorten(field) };
  return { kind: 'text', text, ...(settingOf(field, words)?.place === 'custom' && { isDeclared: true }) };
}

/** Returns the label of a field: from the texts of this package, or from its declaration. */
function labelOf(field: string, words: Words, form: 'field' | 'object'): string | undefined {
  const known = CHANGED_FIELDS.find((name) => name === field);
  if (known !== undefined) return words.shared(`${form}.${known}`);
  return textIn(settingOf(field, words)?.declared.label, words.language);
}

/**
 * Returns the value of a field in displayed form. Unknown fields and values are shown as JSON.
 * @param maxListed maximum listed items of a list. The others are counted.
 */
export function valueParts(field: string, value: unknown, words: Words, maxListed?: number): Part[] {
  const { shared } = words;
  if (value === '' || value === null || value === undefined) return [textPart(shared('value.none'))];
  if (field === 'presence' && (value === 'present' || value === 'left' || value === 'unknown')) {
    return [textPart(shared(`value.${value}`))];
  }
  const entries = field === 'access' ? entriesIn(value) : undefined;
  if (entries !== undefined) return accessParts(entries, words, maxListed);
  const setting = settingOf(field, words);
  if (setting === undefined || !fits(setting, value)) {
    return [valuePart(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))];
  }
  if (!isList(value)) return [itemPart(setting, value, words)];
  if (value.length === 0) return [textPart(shared('value.none'))];
  return listParts(
    value.map((item) => (isRow(item) ? rowParts(setting, item, words) : itemPart(setting, item, words))),
    words,
    maxListed,
  );
}

interface ShownEntry {
  readonly subject: string;
  readonly level: string;
}

function entriesIn(value: unknown): readonly ShownEntry[] | undefined {
  const isEntry = (entry: unknown): entry is ShownEntry =>
    typeof entry === 'object' &&
    entry !== null &&
    'subject' in entry &&
    typeof entry.subject === 'string' &&
    'level' in entry &&
    typeof entry.level === 'string';
  return Array.isArray(value) && value.every(isEntry) ? value : undefined;
}

/** Returns the entries of an access list with their levels: "@Helpers (editor) and Olga (viewer)". */
function accessParts(entries: readonly ShownEntry[], words: Words, maxListed?: number): Part[] {
  const { shared } = words;
  if (entries.length === 0) return [textPart(shared('value.none'))];
  const template = shared('noted', { skipInterpolation: true });
  const parts = entries.map(({ subject, level }) => {
    const isKnown = level === 'editor' || level === 'viewer';
    const note = textPart(isKnown ? shared(`value.${level}`) : shorten(level));
    return fillParts(template, { text: [subjectPart(subject)], note: [note] });
  });
  return listParts(parts, words, maxListed);
}

function subjectPart(subject: string): Part {
  const [kind, id = ''] = subject.split(':', 2);
  if (kind === 'role') return { kind, id };
  return kind === 'user' ? { kind: 'person', actor: { kind, id } } : valuePart(subject);
}

export function choiceText({ declared, place }: Setting, choice: string, language: string): string {
  const choices = declared.kind === 'choice' ? declared.choices : {};
  const label = Object.hasOwn(choices, choice) ? textIn(choices[choice], language) : undefined;
  // The specified choices are languages. Names of other choices may look like language tags.
  const isLanguage = place === 'record' && declared.open === undefined;
  return label ?? (isLanguage ? languageName(choice, language) : choice);
}

/** Returns a number of a setting with its unit: "5 %", "1 hr 30 min". */
export function numberText({ declared }: Setting, value: number, language: string): string {
  if (declared.kind === 'duration') return durationText(value, language);
  // Decimal numbers have no digit groups, so that the displayed text is unambiguous.
  const options = declared.kind === 'number' ? { useGrouping: false, maximumFractionDigits: declared.decimals } : {};
  const number = new Intl.NumberFormat(language, options).format(value);
  const unit = 'unit' in declared ? declared.unit : undefined;
  return unit === undefined ? number : `${number} ${unit}`;
}

function itemPart(setting: Setting, item: Item, words: Words): Part {
  const { shared, language } = words;
  const { declared } = setting;
  switch (declared.kind) {
    case 'switch':
      return textPart(shared(item === true ? 'value.on' : 'value.off'));
    case 'integer':
    case 'number':
    case 'duration':
      return valuePart(numberText(setting, Number(item), language));
    case 'choice':
      return declared.open === undefined
        ? valuePart(choiceText(setting, String(item), language))
        : { kind: 'feature', id: String(item) };
    case 'channel':
    case 'role':
      return { kind: declared.kind, id: String(item) };
    case 'emoji':
      return { kind: 'emoji', text: String(item) };
    case 'user':
      return { kind: 'person', actor: { kind: 'user', id: String(item) } };
    default:
      return valuePart(String(item));
  }
}

/** Returns the cells of a row, the first one as the label of the others: "3: Mute · 10". */
function rowParts({ columns = [] }: Setting, row: Row, words: Words): Part[] {
  const { shared } = words;
  const [first, ...others] = columns.map((column) => {
    const cell = row[column.name];
    return cell === undefined || cell === '' ? textPart(shared('value.none')) : itemPart(column, cell, words);
  });
  const label = first === undefined ? [] : [first];
  if (others.length === 0) return label;
  const value = others.flatMap((cell, index) => (index === 0 ? [cell] : [textPart(' · '), cell]));
  return fillParts(shared('labelled', { skipInterpolation: true }), { label, value });
}

function isList(value: unknown): value is readonly Item[] {
  return Array.isArray(value);
}

/** Returns the name for a person without a known name, or for another author of a change. */
export function actorName({ kind, id }: Actor, { shared }: Pick<Words, 'shared'>): string {
  switch (kind) {
    case 'user':
      return id === null ? shared('person.erased') : shared('person.user', { id });
    case 'application':
      return shared('person.application');
    case 'platform':
      return shared('person.platform');
    default:
      // An author kind of a newer service.
      return shorten(kind);
  }
}
