import { fits, type Item, type Setting, textIn } from '@guild-settings/contract/settings';
import { settingOf } from './fields.ts';
import { listParts, type Part, textPart, valuePart } from './part.ts';
import { durationText, languageName, shorten, type Words } from './words.ts';

/**
 * Returns the value of a field for readers. A field or a value that this version does not know is shown as JSON.
 * @param maxListed how many items of a list are named. The others are counted.
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
    value.map((item) => itemPart(setting, item, words)),
    words,
    maxListed,
  );
}

interface ShownEntry {
  readonly subject: string;
  readonly level: string;
}

/** Returns the entries of an access list; undefined: the value is none. */
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

/** Returns whom an access list lets in, with their levels: "@Helpers (editor) and Olga (viewer)". */
function accessParts(entries: readonly ShownEntry[], words: Words, maxListed?: number): Part[] {
  const { shared } = words;
  if (entries.length === 0) return [textPart(shared('value.none'))];
  const parts = entries.map(({ subject, level }) => [
    subjectPart(subject),
    textPart(` (${level === 'editor' || level === 'viewer' ? shared(`value.${level}`) : shorten(level)})`),
  ]);
  return listParts(parts, words, maxListed);
}

/** Returns the role or the user that an entry of an access list is about. */
function subjectPart(subject: string): Part {
  const [kind, id = ''] = subject.split(':', 2);
  if (kind === 'role') return { kind, id };
  return kind === 'user' ? { kind: 'person', actor: { kind, id } } : valuePart(subject);
}

/** Returns what people call a choice of a setting. */
export function choiceText({ declared, place }: Setting, choice: string, language: string): string {
  const choices = declared.kind === 'choice' ? declared.choices : {};
  const label = Object.hasOwn(choices, choice) ? textIn(choices[choice], language) : undefined;
  // The specified choices are languages. Many a name of another choice is the tag of one.
  const isLanguage = place === 'record' && declared.open === undefined;
  return label ?? (isLanguage ? languageName(choice, language) : choice);
}

/** Returns a number of a setting with its unit: "5 %", "1 hr 30 min". */
export function numberText({ declared }: Setting, value: number, language: string): string {
  if (declared.kind === 'duration') return durationText(value, language);
  const number = new Intl.NumberFormat(language).format(value);
  const unit = declared.kind === 'integer' ? declared.unit : undefined;
  return unit === undefined ? number : `${number} ${unit}`;
}

function itemPart(setting: Setting, item: Item, words: Words): Part {
  const { shared, language } = words;
  const { declared } = setting;
  switch (declared.kind) {
    case 'switch':
      return textPart(shared(item === true ? 'value.on' : 'value.off'));
    case 'integer':
    case 'duration':
      return valuePart(numberText(setting, Number(item), language));
    case 'choice':
      return declared.open === undefined
        ? valuePart(choiceText(setting, String(item), language))
        : { kind: 'feature', id: String(item) };
    case 'text':
      return valuePart(String(item));
    case 'channel':
    case 'role':
      return { kind: declared.kind, id: String(item) };
  }
}

function isList(value: unknown): value is readonly Item[] {
  return Array.isArray(value);
}
