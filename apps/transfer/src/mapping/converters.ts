import type { Item, KindName, Setting } from '@guild-settings/contract';
import { choiceNames } from './choice-names.ts';
import { ConversionError } from './conversion-error.ts';

type Converter = (value: unknown, setting: Setting) => Item;

export const CONVERTERS: Readonly<Record<KindName, Converter>> = {
  switch: toSwitch,
  integer: toInteger,
  duration: toSeconds,
  text: toText,
  choice: toChoice,
  channel: idOf('channel', /^<#(\d+)>$/),
  role: idOf('role', /^<@&(\d+)>$/),
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
