import { CUSTOM, type DeclaredSettings, declaredSchemas, ImportDocument, type Setting } from '@guild-settings/contract';
import { UsageError } from '@guild-settings/runtime/command-line';
import type { FieldPath } from './field-map.ts';
import type { KeyPattern } from './key-pattern.ts';
import type { Replacement } from './replacements.ts';
import { fitting, type ValueRules } from './take-value.ts';

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
