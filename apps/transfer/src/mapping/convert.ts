import { type Item, type KindName, LANGUAGES, type Setting, type SettingValue } from '@guild-settings/contract';

/**
 * Converts a value as bots store it to the value of a setting. The limits of settings are not checked.
 * @throws ConversionError
 */
export function convert(setting: Setting, value: unknown): SettingValue {
  const { declared, many } = setting;
  // Names that need not be choices are texts.
  const kind = declared.kind === 'choice' && declared.open !== undefined ? 'text' : declared.kind;
  const toOne = CONVERTERS[kind];
  if (many === undefined) return toOne(value, setting) as SettingValue;
  const items = itemsOf(value);
  // A number is no name: it is more likely a value of another kind.
  const isList = items !== undefined && (kind !== 'text' || items.every((item) => typeof item === 'string'));
  if (isList) return listOf(items.map((item) => toOne(item, setting)));
  throw new ConversionError(`${PLURALS[kind]}: an array, a list with commas, or an object of true and false`, value);
}

function listOf(items: readonly Item[]): SettingValue {
  return [...new Set(items)] as readonly string[];
}

const PLURALS: Readonly<Record<KindName, string>> = {
  switch: 'switches',
  integer: 'integers',
  duration: 'durations',
  text: 'names',
  choice: 'choices',
  channel: 'channels',
  role: 'roles',
  number: 'numbers',
  time: 'times',
  timeZone: 'time zones',
  color: 'colors',
  emoji: 'emoji',
  user: 'users',
  table: 'rows',
};

/** Returns the items of an array, of a text with commas, or of an object with true for each; undefined: it is none of them. */
function itemsOf(value: unknown): unknown[] | undefined {
  if (typeof value === 'number') return [value];
  if (typeof value === 'string') return withoutEmpty(value.split(','));
  if (Array.isArray(value)) return withoutEmpty(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const switches = Object.entries(value);
  if (!switches.every(([, isOn]) => typeof isOn === 'boolean')) return undefined;
  return switches.filter(([, isOn]) => isOn).map(([name]) => name);
}

function withoutEmpty(items: readonly unknown[]): unknown[] {
  return items.map((item) => (typeof item === 'string' ? item.trim() : item)).filter((item) => item !== '');
}

type Converter = (value: unknown, setting: Setting) => Item;

const CONVERTERS: Readonly<Record<KindName, Converter>> = {
  switch: toSwitch,
  integer: toInteger,
  duration: toSeconds,
  text: toText,
  choice: toChoice,
  channel: idOf('channel', /^<#(\d+)>$/),
  role: idOf('role', /^<@&(\d+)>$/),
  number: Number,
  time: toText,
  timeZone: toText,
  color: toText,
  emoji: toText,
  user: idOf('user', /^<@!?(\d+)>$/),
  table: (value) => value as Item,
};

const ON: readonly unknown[] = [true, 1, 'true', '1', 'on', 'yes', 'enabled'];
const OFF: readonly unknown[] = [false, 0, 'false', '0', 'off', 'no', 'disabled'];

function toSwitch(value: unknown): boolean {
  const folded = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (ON.includes(folded)) return true;
  if (OFF.includes(folded)) return false;
  throw new ConversionError('true or false, on or off, yes or no, 1 or 0', value);
}

function toInteger(value: unknown): number {
  const integer = integerOf(value);
  if (integer === undefined) throw new ConversionError('an integer', value);
  return integer;
}

/** Returns an integer that is a number or its digits; undefined for anything else. `5.0` is one: spreadsheets write it. */
function integerOf(value: unknown): number | undefined {
  const isNumeric = typeof value === 'string' && /^\s*[+-]?\d+(?:\.0+)?\s*$/.test(value);
  const number = isNumeric ? Number(value) : value;
  return Number.isSafeInteger(number) ? Number(number) : undefined;
}

const UNITS: ReadonlyMap<string, number> = new Map(
  [
    ['s sec secs second seconds', 1] as const,
    ['m min mins minute minutes', 60] as const,
    ['h hr hrs hour hours', 3_600] as const,
    ['d day days', 86_400] as const,
    ['w week weeks', 604_800] as const,
  ].flatMap(([names, seconds]) => names.split(' ').map((name) => [name, seconds] as const)),
);

/** Seconds, or amounts with units such as `1h 30m`. */
function toSeconds(value: unknown): number {
  const seconds = integerOf(value) ?? (typeof value === 'string' ? secondsOf(value) : Number.NaN);
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds;
  throw new ConversionError('seconds, or a duration such as 10m or 1h 30m (units: s, m, h, d, w)', value);
}

/** Returns the sum of amounts with units; NaN when the text has anything else. */
function secondsOf(text: string): number {
  const amounts = text
    .trim()
    .toLowerCase()
    .split(/(?<=[a-z])\s*(?=\d)/);
  return amounts.reduce((sum, amount) => {
    const [, number = '', unit = ''] = /^(\d+)\s*([a-z]+)$/.exec(amount) ?? [];
    return sum + Number(number) * (UNITS.get(unit) ?? Number.NaN);
  }, 0);
}

/** A text; a number as its digits; of several texts none can be chosen. */
function toText(value: unknown): string {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof only === 'string') return only;
  if (typeof only === 'number') return String(only);
  throw new ConversionError('a string', value);
}

/** A choice by its value, or else by one of its names, in upper or lower case. A name of two choices is none. */
function toChoice(value: unknown, setting: Setting): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const choices = choiceNames(setting);
  const values = choices.map(([choice]) => choice);
  const ways = [
    values.filter((choice) => choice === text),
    values.filter((choice) => fold(choice) === fold(text)),
    choices.filter(([, names]) => names.some((name) => fold(name) === fold(text))).map(([choice]) => choice),
  ];
  const [found, ...others] = ways.find((fitting) => fitting.length > 0) ?? [];
  if (found !== undefined && others.length === 0) return found;
  const converting = `(--value ${setting.name}:FROM=TO converts others)`;
  throw new ConversionError(`one of ${values.join(', ')} or its name ${converting}`, value);
}

function fold(text: string): string {
  return text.trim().replaceAll('_', '-').toLowerCase().normalize('NFC');
}

/** Returns the conversion to an id, from itself or a mention. Empty: none. */
function idOf(what: string, mention: RegExp): (value: unknown) => string {
  return (value) => {
    const text = typeof value === 'string' ? value.trim() : undefined;
    const id = text?.replace(mention, '$1');
    if (id === '' || (id !== undefined && /^\d{17,20}$/.test(id))) return id;
    throw new ConversionError(`the id or the mention of a ${what}`, value);
  };
}

const LANGUAGE_NAMES = LANGUAGES.map((language) => [language, namesOf(language)] as const);

function choiceNames({ field, declared }: Setting): readonly (readonly [choice: string, names: string[]])[] {
  if (field === 'language') return LANGUAGE_NAMES;
  const choices = declared.kind === 'choice' ? Object.entries(declared.choices) : [];
  return choices.map(([choice, labels]) => [choice, Object.values(labels)]);
}

function namesOf(language: string): string[] {
  const [bare = language] = language.split('-');
  const names = ['en', language].flatMap((display) => {
    const namesIn = new Intl.DisplayNames(display, { type: 'language' });
    return [namesIn.of(bare), namesIn.of(language)];
  });
  return [bare, ...names.filter((name) => name !== undefined)];
}

/** Thrown for a value that no rule converts. The message says what was expected and what was received. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';

  constructor(expected: string, received: unknown) {
    super(`expected ${expected}, received ${receivedText(received)}`);
  }
}

const MAX_ID = 1e20;

/** Returns a value for a message. An id as a number was rounded where a program in JavaScript wrote it. */
export function receivedText(value: unknown): string {
  const isRounded = typeof value === 'number' && value > Number.MAX_SAFE_INTEGER && value < MAX_ID;
  return isRounded ? `the number ${value}, whose last digits may be lost: ids must be strings` : shown(value);
}

/** Returns a value as JSON, cut off where it is too long for a message. */
export function shown(value: unknown, maxCharacters = 80): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > maxCharacters ? `${json.slice(0, maxCharacters)}...` : json;
}
