import { CUSTOM, type DeclaredSettings, declaredSchemas, ImportDocument, type Setting } from '@guild-settings/contract';
import { UsageError } from '@guild-settings/runtime/command-line';
import type { Replacement } from './convert.ts';
import type { FieldScale } from './scale.ts';
import { type FieldReplacement, fitting, type ValueRules } from './take-value.ts';

export interface GivenMapping extends Pick<ValueRules, 'emptyPrefix'> {
  readonly paths: readonly FieldPath[];
  readonly replacements: readonly FieldReplacement[];
  readonly scales: readonly FieldScale[];
  /** The path of the guild's id in a row; undefined: the key contains the id. */
  readonly guildPath: string | undefined;
  readonly keys: KeyPattern;
}

export interface Mapping extends ValueRules, Pick<GivenMapping, 'guildPath' | 'keys'> {
  /** A renamed setting has a path for each of its names. */
  readonly paths: readonly { readonly setting: Setting; readonly path: string }[];
  readonly declared: DeclaredSettings;
  /** The schema of export documents; undefined: rows are not treated as documents. */
  readonly documents: typeof ImportDocument | undefined;
}

/**
 * Finds the settings of a mapping.
 * @throws UsageError for a setting that the service does not have, or an option that does not suit its setting
 */
export function mappingOf(given: GivenMapping, declared: DeclaredSettings): Mapping {
  const { guildPath, keys, emptyPrefix } = given;
  const named = given.paths.map(({ field, path }) => ({ ...placeOf('map', field, declared), path }));
  once(
    named.map(({ column, setting }) => column ?? setting),
    'path',
  );
  const scales = given.scales.map((scale) => [scaledPlace(scale, declared), scale] as const);
  once(
    scales.map(([setting]) => setting),
    '--scale',
  );
  const replacements = given.replacements.map(({ field, from, to }): Replacement => {
    const { setting: table, column } = placeOf('value', field, declared);
    const setting = column ?? table;
    const shown = column === undefined ? table.shownField : `${table.shownField}.${column.name}`;
    const fit = fitting(setting, to, undefined, shown);
    if (fit.is === 'refused') throw new UsageError(`Expected another value behind = in --value: ${fit.problem}.`);
    return { setting, from, to };
  });
  const columnPaths = new Map(
    named.flatMap(({ column, path }) => (column === undefined ? [] : [[column, path] as const])),
  );
  const rules = { guildPath, keys, emptyPrefix, declared, replacements, scales: new Map(scales), columnPaths };
  if (named.length > 0) {
    const paths = named.filter(({ column }) => column === undefined);
    // The columns of a table are mapped, and the table itself has its own name.
    const tables = new Set(
      named.map(({ setting }) => setting).filter((one) => !paths.some(({ setting }) => setting === one)),
    );
    return {
      ...rules,
      paths: [...paths, ...[...tables].map((setting) => ({ setting, path: setting.name }))],
      documents: undefined,
    };
  }
  const paths = declared.all.flatMap((setting) => [setting.name, ...setting.was].map((path) => ({ setting, path })));
  const documents = declared.declaration === undefined ? ImportDocument : declaredSchemas(declared).ImportDocument;
  return { ...rules, paths, documents };
}

function once(settings: readonly Setting[], what: string): void {
  const twice = settings.find((setting, index) => settings.indexOf(setting) !== index);
  if (twice !== undefined) throw new UsageError(`Expected one ${what} for ${twice.name}, received two.`);
}

/** Returns the setting or column whose numbers are scaled. */
function scaledPlace({ field }: FieldScale, declared: DeclaredSettings): Setting {
  const { setting: table, column } = placeOf('scale', field, declared);
  const setting = column ?? table;
  const { type } = setting.kind;
  if (type === 'integer' || type === 'number') return setting;
  throw new UsageError(
    `Expected a setting of numbers for --scale, received "${field}", whose kind is ${setting.declared.kind}.`,
  );
}

interface Place {
  readonly setting: Setting;
  /** A column of the setting, which is a table. */
  readonly column?: Setting;
}

/** Returns a setting by its name with or without `custom.`, or a column by its name after that of its table. */
function placeOf(option: string, name: string, { byField, all }: DeclaredSettings): Place {
  const find = (one: string) => byField.get(one) ?? byField.get(`${CUSTOM}${one}`);
  const setting = find(name);
  if (setting !== undefined) return { setting };
  const [, tableName = '', columnName] = /^(.*)\.([^.]+)$/.exec(name) ?? [];
  const table = find(tableName);
  const column = table?.columns?.find((one) => one.name === columnName);
  if (table !== undefined && column !== undefined) return { setting: table, column };
  if (table?.columns !== undefined) {
    const names = table.columns.map((one) => `${table.name}.${one.name}`).join(', ');
    throw new UsageError(`Expected a column of ${table.name} (${names}) for --${option}, received "${name}".`);
  }
  const names = all.map((one) => one.name).join(', ');
  throw new UsageError(`Expected a setting of the service (fields: ${names}) for --${option}, received "${name}".`);
}

export interface FieldPath {
  readonly field: string;
  /** Names separated by dots; `.` for the entire value. */
  readonly path: string;
}

/** Parses `prefix=prefix,language=settings.lang`; undefined for another form. */
export function parseFieldMap(text: string): FieldPath[] | undefined {
  const paths = text.split(',').map((pair) => {
    const [, field = '', path = ''] = /^\s*([^=\s]+)\s*=\s*(.*\S)\s*$/.exec(pair) ?? [];
    return field === '' ? undefined : { field, path };
  });
  return paths.every((one) => one !== undefined) ? paths : undefined;
}

export interface KeyPattern {
  readonly text: string;
  match(key: string): { readonly guild: string; readonly field?: string | undefined } | undefined;
}

const PLACES: Readonly<Record<string, string>> = {
  // Any number of digits, so that a wrong id is reported instead of being treated as another kind of key.
  '{guild}': '(?<guild>\\d+)',
  '{field}': '(?<field>.+)',
};

/** Parses a pattern with one `{guild}` and at most one `{field}`; undefined for another form. */
export function parseKeyPattern(text: string): KeyPattern | undefined {
  const parts = text.split(/(\{guild\}|\{field\})/);
  const count = (place: string) => parts.filter((part) => part === place).length;
  if (count('{guild}') !== 1 || count('{field}') > 1) return undefined;
  const pattern = new RegExp(`^${parts.map((part) => PLACES[part] ?? escaped(part)).join('')}$`, 'su');
  return {
    text,
    match(key) {
      const { guild, field } = pattern.exec(key)?.groups ?? {};
      return guild === undefined ? undefined : { guild, field };
    },
  };
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
