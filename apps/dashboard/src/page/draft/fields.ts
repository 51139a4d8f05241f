import type { Actor, RecordSettings } from '@guild-settings/contract';
import {
  CUSTOM,
  type DeclaredSettings,
  fits,
  inEffect,
  isRow,
  isSameValue,
  listDifference,
  patchOf,
  type Setting,
  type SettingValue,
  SPECIFIED_SETTINGS,
  valueIn as valueInRecord,
} from '@guild-settings/contract/settings';

/** The setting that is an open list of names, the features: each name is switched separately. */
export const FEATURES = featuresSetting();

export function isFeatures({ field }: Setting): boolean {
  return field === FEATURES.field;
}

export type Field = string;

type FeatureField = `feature:${string}`;

export type DraftField = Field | FeatureField;

/** The value of a field; undefined: the record is older than the declaration of its setting. */
export type Value = SettingValue | undefined;

/** The newest known change of a setting. */
export interface FieldChangedBy {
  readonly actor: Actor;
  readonly at: string;
  readonly revision: number;
}

export interface Theirs {
  readonly settings: RecordSettings;
  readonly revision: number;
  /**
   * The entity tag sent by the service; absent: the record came from an event, and the tag is read before it is needed.
   */
  readonly etag?: string | undefined;
  /** The revision up to which it contains all changes: that of the record, or of the erasure. */
  readonly upTo: number;
  /** The settings that others have changed since the page was opened, with their newest changes. */
  readonly changedBy: Readonly<Record<Field, FieldChangedBy>>;
}

export function theirsOf(settings: RecordSettings, revision: number, etag?: string): Theirs {
  return { settings, revision, etag, upTo: revision, changedBy: {} };
}

const FEATURE = 'feature:';

export function featureField(name: string): FeatureField {
  return `${FEATURE}${name}`;
}

function featureOf(field: DraftField): string | undefined {
  return field.startsWith(FEATURE) ? field.slice(FEATURE.length) : undefined;
}

export function settingOf(field: DraftField): Field {
  return featureOf(field) === undefined ? field : FEATURES.field;
}

/** Returns the setting at a path of a request, such as `custom`, `xpRate`. */
export function fieldOf([name, inner]: readonly PropertyKey[]): Field {
  return name === 'custom' ? `${CUSTOM}${String(inner)}` : String(name);
}

export function placeOf(field: Field): Pick<Setting, 'name' | 'place'> {
  return field.startsWith(CUSTOM)
    ? { place: 'custom', name: field.slice(CUSTOM.length) }
    : { place: 'record', name: field };
}

export function featuresIn(settings: object): readonly string[] {
  return (valueInRecord(settings, FEATURES) ?? []) as readonly string[];
}

export function valueIn(settings: RecordSettings, field: DraftField): Value {
  const feature = featureOf(field);
  return feature === undefined ? valueInRecord(settings, placeOf(field)) : featuresIn(settings).includes(feature);
}

/** Returns settings with other values in some fields. Features keep their order; new ones are appended. */
export function withValues(settings: RecordSettings, values: ReadonlyMap<DraftField, SettingValue>): RecordSettings {
  const kept = featuresIn(settings).filter((name) => values.get(featureField(name)) !== false);
  const added = [...values]
    .filter(([field, isOn]) => isOn === true && valueIn(settings, field) === false)
    .flatMap(([field]) => featureOf(field) ?? []);
  const others = [...values].filter(([field]) => featureOf(field) === undefined);
  const { custom, ...patch } = patchOf([
    ...others.map(([field, value]) => [placeOf(field), value] as const),
    [FEATURES, [...kept, ...added]],
  ]);
  return { ...settings, ...patch, ...(custom && { custom: { ...settings.custom, ...custom } }) };
}

/** Returns true if two records have the same value of a setting. The order of features is ignored. */
export function hasSameValue(field: Field, one: RecordSettings, other: RecordSettings): boolean {
  const values = [valueIn(one, field), valueIn(other, field)] as const;
  return field === FEATURES.field ? listDifference(...values) === undefined : isSameValue(...values);
}

/** Returns true if a value is valid for a field, including values from before its setting was widened. */
export function isValueOf(declared: DeclaredSettings, field: string, value: unknown): value is SettingValue {
  if (featureOf(field) !== undefined) return typeof value === 'boolean';
  const setting = declared.byField.get(field);
  // A setting that only the application can set now would prevent saving all others.
  if (setting === undefined || setting.declared.setBy === 'application') return false;
  return field !== FEATURES.field && inEffect(setting, value) !== undefined;
}

/** Returns true if a value, or a cell of it, is typed text that is not a valid number: the page shows the error. */
export function isTyped(declared: DeclaredSettings, field: string, value: unknown): boolean {
  const setting = declared.byField.get(field);
  if (setting === undefined || fits(setting, value)) return false;
  const { columns, many } = setting;
  if (columns === undefined) return many === undefined && isTypedNumber(setting, value);
  const isCell = (column: Setting, cell: unknown) => fits(column, cell) || isTypedNumber(column, cell);
  return (
    Array.isArray(value) &&
    value.every((row) => isRow(row) && columns.every((column) => isCell(column, row[column.name] ?? column.default)))
  );
}

function isTypedNumber({ kind: { type } }: Setting, value: unknown): boolean {
  return typeof value === 'string' && (type === 'integer' || type === 'number');
}

function featuresSetting(): Setting {
  const found = SPECIFIED_SETTINGS.all.find(({ declared }) => declared.open !== undefined);
  if (found === undefined) throw new Error('Expected a setting that is an open list of names');
  return found;
}
