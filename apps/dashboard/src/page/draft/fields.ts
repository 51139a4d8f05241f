import type { GuildSettings, RecordSettings } from '@guild-settings/contract';

/** The settings with one value. */
export const SCALAR_FIELDS = ['prefix', 'language', 'announcement_channel', 'beta'] as const;
export type ScalarField = (typeof SCALAR_FIELDS)[number];

/** The name of a setting. */
export type Field = keyof GuildSettings;
export const FIELDS = [...SCALAR_FIELDS, 'enabledFeatures'] as const satisfies readonly Field[];

/** The settings with one value, as a person sets them. */
export type Scalars = Pick<GuildSettings, ScalarField>;

/** A feature, which is on or off. */
export type FeatureField = `feature:${string}`;

/** What a person sets by itself. */
export type DraftField = ScalarField | FeatureField;
export type Value = string | boolean;
export type ValueOf<F extends DraftField> = F extends ScalarField ? Scalars[F] : boolean;

const FEATURE = 'feature:';

/** Returns a feature as a field of a draft. */
export function featureField(name: string): FeatureField {
  return `${FEATURE}${name}`;
}

/** Returns the name of the feature; undefined: the field is none. */
export function featureOf(field: string): string | undefined {
  return field.startsWith(FEATURE) ? field.slice(FEATURE.length) : undefined;
}

/** Returns the setting that a field of a draft is, or is a part of. */
export function settingOf(field: DraftField): Field {
  return featureOf(field) === undefined ? (field as ScalarField) : 'enabledFeatures';
}

/** Returns the value that a field has in some settings. */
export function valueIn(settings: RecordSettings, field: DraftField): Value {
  const feature = featureOf(field);
  return feature === undefined ? settings[field as ScalarField] : settings.enabledFeatures.includes(feature);
}

/** Returns settings with other values in some fields. The features keep their order, and new ones follow them. */
export function withValues(settings: RecordSettings, values: ReadonlyMap<DraftField, Value>): RecordSettings {
  const scalars = SCALAR_FIELDS.filter((field) => values.has(field)).map((field) => [field, values.get(field)]);
  const { enabledFeatures } = settings;
  const kept = enabledFeatures.filter((name) => values.get(featureField(name)) !== false);
  const added = [...values]
    .filter(([field, isOn]) => isOn === true && !valueIn(settings, field))
    .flatMap(([field]) => featureOf(field) ?? []);
  return { ...settings, ...Object.fromEntries(scalars), enabledFeatures: [...kept, ...added] };
}

/** Whether two records have the same value of a setting. The features have no order. */
export function hasSameValue(field: Field, one: RecordSettings, other: RecordSettings): boolean {
  if (field !== 'enabledFeatures') return one[field] === other[field];
  return switchedFeatures(one.enabledFeatures, other.enabledFeatures).size === 0;
}

/** Returns the features that were switched between two lists, and whether each is on in the second one. */
export function switchedFeatures(before: readonly string[], after: readonly string[]): Map<string, boolean> {
  const off = before.filter((name) => !after.includes(name));
  const on = after.filter((name) => !before.includes(name));
  return new Map([...off.map((name) => [name, false] as const), ...on.map((name) => [name, true] as const)]);
}

/** Returns some of the properties of an object; those that it has. */
export function pick<T extends object, Key extends keyof T>(object: T, keys: readonly Key[]): Pick<T, Key> {
  const entries = keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]);
  // `Object.fromEntries` does not know which keys it was given.
  return Object.fromEntries(entries) as Pick<T, Key>;
}
