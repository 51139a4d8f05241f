import type { Item, KindName, Setting, SettingValue } from '@guild-settings/contract';
import { ConversionError } from './conversion-error.ts';
import { CONVERTERS } from './converters.ts';

/**
 * Converts a value as bots store it to the value of a setting. The limits of settings are not checked.
 * @throws ConversionError
 */
export function convert(setting: Setting, value: unknown): SettingValue {
  const { declared, many } = setting;
  // Names that need not be choices are texts.
  const kind = declared.kind === 'choice' && declared.open !== undefined ? 'text' : declared.kind;
  const toOne = CONVERTERS[kind];
  if (many === undefined) return toOne(value, setting);
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
