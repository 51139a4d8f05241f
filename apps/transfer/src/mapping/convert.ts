import { ConversionError } from './conversion-error.ts';
import { CONVERTERS } from './converters.ts';
import type { Setting, Settings } from './settings.ts';

/**
 * Converts a value as bots store it to the value of a setting. The limits of settings are not checked.
 * @throws ConversionError
 */
export function convert(name: string, value: unknown, settings: Settings): unknown {
  const setting = settings[name];
  if (setting === undefined) throw new Error(`${name} is no setting`);
  // The converter of the setting's own kind, which TypeScript cannot correlate.
  const toOne = CONVERTERS[setting.kind] as (one: unknown, of: Setting, name: string) => unknown;
  if (setting.kind === 'switch' || setting.many !== true) return toOne(value, setting, name);
  const items = itemsOf(value);
  // A number is no name: it is more likely a value of another kind.
  const isList = items !== undefined && (setting.kind !== 'text' || items.every((item) => typeof item === 'string'));
  if (isList) return [...new Set(items.map((item) => toOne(item, setting, name)))];
  throw new ConversionError(
    `${PLURALS[setting.kind]}: an array, a list with commas, or an object of true and false`,
    value,
  );
}

const PLURALS: Readonly<Record<Setting['kind'], string>> = {
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
