import { LANGUAGES } from '@guild-settings/contract';
import type { FieldName } from './field-map.ts';

/** Thrown for a value that no rule converts. The message says what was expected and what was received. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';

  constructor(expected: string, received: unknown) {
    super(`expected ${expected}, received ${shown(received)}`);
  }
}

/**
 * Converts a value as bots store it to the value of a setting. The limits of settings are not checked.
 * @throws ConversionError
 */
export function convert(field: FieldName, value: unknown): unknown {
  switch (field) {
    case 'prefix':
      return toPrefix(value);
    case 'announcement_channel':
      return toChannel(value);
    case 'beta':
      return toSwitch(value);
    case 'language':
      return toLanguage(value);
    case 'enabledFeatures':
      return toFeatures(value);
  }
}

/** A text; a number as its digits; of several prefixes none can be chosen. */
function toPrefix(value: unknown): string {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof only === 'string') return only;
  if (typeof only === 'number') return String(only);
  throw new ConversionError('a text', value);
}

/** The id of a channel, as such or as a mention. Empty: none. */
function toChannel(value: unknown): string {
  const match = typeof value === 'string' ? /^(?:<#(\d{17,20})>|(\d{17,20}))?$/.exec(value.trim()) : null;
  if (match === null) throw new ConversionError('the id or the mention of a channel', value);
  return match[1] ?? match[2] ?? '';
}

const ON: readonly unknown[] = [true, 1, 'true', '1', 'on', 'yes', 'enabled'];
const OFF: readonly unknown[] = [false, 0, 'false', '0', 'off', 'no', 'disabled'];

function toSwitch(value: unknown): boolean {
  const folded = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (ON.includes(folded)) return true;
  if (OFF.includes(folded)) return false;
  throw new ConversionError('true or false, on or off, yes or no, 1 or 0', value);
}

/** The languages by their codes, with and without the country, and by their names in English and in themselves. */
const LANGUAGE_BY_NAME: ReadonlyMap<string, string> = new Map(
  LANGUAGES.flatMap((language) => {
    const [bare = language] = language.split('-');
    const names = ['en', language].flatMap((display) => {
      const namesIn = new Intl.DisplayNames(display, { type: 'language' });
      return [namesIn.of(bare), namesIn.of(language)];
    });
    return [language, bare, ...names].map((name) => [foldName(name ?? bare), language] as const);
  }),
);

function toLanguage(value: unknown): string {
  const language = typeof value === 'string' ? LANGUAGE_BY_NAME.get(foldName(value)) : undefined;
  if (language !== undefined) return language;
  throw new ConversionError(
    `one of ${LANGUAGES.join(', ')} or its name (--value language:FROM=TO converts others)`,
    value,
  );
}

function foldName(name: string): string {
  return name.trim().replaceAll('_', '-').toLowerCase().normalize('NFC');
}

/** An array of names, names separated by commas, or an object with true for each name. */
function toFeatures(value: unknown): string[] {
  if (typeof value === 'string') return namesOf(value.split(','));
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return namesOf(value);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const switches = Object.entries(value);
    if (switches.every(([, isOn]) => typeof isOn === 'boolean')) {
      return switches.filter(([, isOn]) => isOn).map(([name]) => name);
    }
  }
  throw new ConversionError('names: an array, a list with commas, or an object of true and false', value);
}

function namesOf(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
}

/** Returns a value as JSON, cut off where it is too long for a message. */
export function shown(value: unknown, maxCharacters = 80): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > maxCharacters ? `${json.slice(0, maxCharacters)}...` : json;
}
