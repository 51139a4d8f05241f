import type { RecordSettings } from '@guild-settings/contract';
import {
  CUSTOM,
  isSameValue,
  listDifference,
  patchOf,
  type Setting,
  type SettingValue,
  SPECIFIED_SETTINGS,
  valueIn as valueInRecord,
} from '@guild-settings/contract/settings';

/** The setting that is an open list of names, the features: each name is switched by itself. */
export const FEATURES = settingNamed(SPECIFIED_SETTINGS.all.find(({ declared }) => declared.open !== undefined)?.field);

/** Controls in the order of the page: what is typed or chosen, then what is switched. */
const ORDER: readonly string[] = ['text', 'number', 'duration', 'choice', 'channel', 'role', 'switch'];

/** The settings in the order of the page, the features last. */
export const SETTINGS: readonly Setting[] = [...SPECIFIED_SETTINGS.all].sort(
  (one, other) => placeOf(one) - placeOf(other),
);

/** The name of a setting in the history: `prefix`, `custom.xpRate`. */
export type Field = string;
export const FIELDS: readonly Field[] = SETTINGS.map(({ field }) => field);

/** A feature, which is on or off. */
export type FeatureField = `feature:${string}`;

/** What a person sets by itself: a setting, or a feature. */
export type DraftField = Field | FeatureField;
export type Value = SettingValue;

const FEATURE = 'feature:';

/** Returns a feature as a field of a draft. */
export function featureField(name: string): FeatureField {
  return `${FEATURE}${name}`;
}

/** Returns the name of the feature; undefined: the field is none. */
export function featureOf(field: DraftField): string | undefined {
  return field.startsWith(FEATURE) ? field.slice(FEATURE.length) : undefined;
}

/** Returns the setting that a field of a draft is, or is a part of. */
export function settingOf(field: DraftField): Field {
  return featureOf(field) === undefined ? field : FEATURES.field;
}

/** Returns the setting at a path of a request, such as `custom`, `xpRate`. */
export function fieldOf([name, inner]: readonly PropertyKey[]): Field {
  return name === 'custom' ? `${CUSTOM}${String(inner)}` : String(name);
}

/** Returns the features that are on in some settings. */
export function featuresIn(settings: object): readonly string[] {
  return (valueInRecord(settings, FEATURES) ?? []) as readonly string[];
}

/** Returns the value that a field has in some settings. */
export function valueIn(settings: RecordSettings, field: DraftField): Value {
  const feature = featureOf(field);
  if (feature !== undefined) return featuresIn(settings).includes(feature);
  const setting = settingNamed(field);
  return valueInRecord(settings, setting) ?? setting.default;
}

/** Returns settings with other values in some fields. The features keep their order, and new ones follow them. */
export function withValues(settings: RecordSettings, values: ReadonlyMap<DraftField, Value>): RecordSettings {
  const kept = featuresIn(settings).filter((name) => values.get(featureField(name)) !== false);
  const added = [...values]
    .filter(([field, isOn]) => isOn === true && valueIn(settings, field) === false)
    .flatMap(([field]) => featureOf(field) ?? []);
  const others = [...values].filter(([field]) => featureOf(field) === undefined);
  const { custom, ...patch } = patchOf([
    ...others.map(([field, value]) => [settingNamed(field), value] as const),
    [FEATURES, [...kept, ...added]],
  ]);
  return { ...settings, ...patch, ...(custom && { custom: { ...settings.custom, ...custom } }) };
}

/** Whether two records have the same value of a setting. The features have no order. */
export function hasSameValue(field: Field, one: RecordSettings, other: RecordSettings): boolean {
  const values = [valueIn(one, field), valueIn(other, field)] as const;
  return field === FEATURES.field ? listDifference(...values) === undefined : isSameValue(...values);
}

/** Returns the setting of the name in a history. */
export function settingNamed(field: Field | undefined): Setting {
  const setting = SPECIFIED_SETTINGS.byField.get(field ?? '');
  if (setting === undefined) throw new Error(`Expected the field of a setting, received ${field}`);
  return setting;
}

/** Returns some of the properties of an object; those that it has. */
export function pick<T extends object, Key extends keyof T>(object: T, keys: readonly Key[]): Pick<T, Key> {
  const entries = keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]);
  // `Object.fromEntries` does not know which keys it was given.
  return Object.fromEntries(entries) as Pick<T, Key>;
}

function placeOf(setting: Setting): number {
  return setting === FEATURES ? ORDER.length : ORDER.indexOf(setting.kind.control);
}
