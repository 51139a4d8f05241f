import { CUSTOM, type DeclaredSettings, declaredSchemas, ImportDocument, type Setting } from '@guild-settings/contract';
import { UsageError } from '@guild-settings/runtime/command-line';
import { fitting, type Replacement, type ValueRules } from './take-value.ts';

export interface GivenMapping extends ValueRules {
  readonly paths: readonly FieldPath[];
  /** The path of the guild's id in a row; undefined: the key has the id. */
  readonly guildPath: string | undefined;
  readonly keys: KeyPattern;
}

export interface Mapping extends Omit<GivenMapping, 'paths'> {
  readonly paths: readonly { readonly setting: Setting; readonly path: string }[];
  readonly declared: DeclaredSettings;
  /** The schema of documents of an export; undefined: no row is taken for one. */
  readonly documents: typeof ImportDocument | undefined;
}

/**
 * Finds the settings that a mapping names.
 * @throws UsageError when the service does not have one, or a value that replaces others does not fit
 */
export function mappingOf(given: GivenMapping, declared: DeclaredSettings): Mapping {
  const named = given.paths.map(({ field, path }) => ({ setting: settingOf('map', field, declared), path }));
  const twice = named.find(({ setting }, index) => named.findIndex((other) => other.setting === setting) !== index);
  if (twice !== undefined) throw new UsageError(`Expected one path for ${twice.setting.name}, received two.`);
  const replacements = given.replacements.map((replacement): Replacement => {
    const setting = settingOf('value', replacement.field, declared);
    const fit = fitting(setting, replacement.to);
    if (fit.is === 'refused') throw new UsageError(`Expected another value behind = in --value: ${fit.problem}.`);
    return { ...replacement, field: setting.field };
  });
  if (named.length > 0) return { ...given, declared, replacements, paths: named, documents: undefined };
  const paths = declared.all.map((setting) => ({ setting, path: setting.name }));
  const documents = declared.declaration === undefined ? ImportDocument : declaredSchemas(declared).ImportDocument;
  return { ...given, declared, replacements, paths, documents };
}

/** Returns a setting by its name, which has `custom.` before it or not. */
function settingOf(option: string, name: string, { byField, all }: DeclaredSettings): Setting {
  const setting = byField.get(name) ?? byField.get(`${CUSTOM}${name}`);
  if (setting !== undefined) return setting;
  const names = all.map((one) => one.name).join(', ');
  throw new UsageError(`Expected a setting of the service (fields: ${names}) for --${option}, received "${name}".`);
}

export interface FieldPath {
  readonly field: string;
  /** Names separated by dots; `.` for the whole value. */
  readonly path: string;
}

/** Parses `prefix=prefix,language=settings.lang`; undefined when it is no such list. */
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
  // Digits of any number, so that a wrong id is named instead of being taken for another kind of key.
  '{guild}': '(?<guild>\\d+)',
  '{field}': '(?<field>.+)',
};

/** Parses a pattern with one `{guild}` and at most one `{field}`; undefined when it is none. */
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
