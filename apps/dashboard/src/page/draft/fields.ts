import type { GuildSettings, RecordSettings } from '@guild-settings/contract';

/** The settings with one value. */
export const SCALAR_FIELDS = ['prefix', 'language', 'announcement_channel', 'beta'] as const;
export type ScalarField = (typeof SCALAR_FIELDS)[number];

/** The name of a setting. */
export type Field = keyof GuildSettings;
export const FIELDS = [...SCALAR_FIELDS, 'enabledFeatures'] as const satisfies readonly Field[];

/** The settings with one value, as a person sets them. */
export type Scalars = Pick<GuildSettings, ScalarField>;

/** Whether two lists have the same features, in any order. */
export function hasSameFeatures(one: readonly string[], other: readonly string[]): boolean {
  const names = new Set(one);
  return names.size === new Set(other).size && other.every((name) => names.has(name));
}

/** Whether two records have the same value of a setting. */
export function hasSameValue(field: Field, one: Partial<RecordSettings>, other: Partial<RecordSettings>): boolean {
  if (field !== 'enabledFeatures') return one[field] === other[field];
  return hasSameFeatures(one.enabledFeatures ?? [], other.enabledFeatures ?? []);
}

/** Returns the features that were switched between two lists, and whether each is on in the second one. */
export function switchedFeatures(before: readonly string[], after: readonly string[]): Map<string, boolean> {
  const off = before.filter((name) => !after.includes(name));
  const on = after.filter((name) => !before.includes(name));
  return new Map([...off.map((name) => [name, false] as const), ...on.map((name) => [name, true] as const)]);
}

/** Returns a list with some features switched. The others keep their order, and new ones follow them. */
export function withFeatures(features: readonly string[], switched: ReadonlyMap<string, boolean>): string[] {
  const kept = features.filter((name) => switched.get(name) !== false);
  const added = [...switched].filter(([name, isOn]) => isOn && !features.includes(name)).map(([name]) => name);
  return [...kept, ...added];
}

/** Returns some of the properties of an object; those that it has. */
export function pick<T extends object, Key extends keyof T>(object: T, keys: readonly Key[]): Pick<T, Key> {
  const entries = keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]);
  // `Object.fromEntries` does not know which keys it was given.
  return Object.fromEntries(entries) as Pick<T, Key>;
}

/** Returns an object without one of its properties. */
export function without<T extends object, Key extends keyof T>(object: T, key: Key): Omit<T, Key> {
  const { [key]: _, ...rest } = object;
  return rest;
}
