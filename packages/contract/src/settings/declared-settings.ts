import type { Declaration } from './declaration.ts';
import { fits, inEffect, type Setting, settingOf } from './setting.ts';
import type { SettingValue } from './setting-declaration.ts';
import { SPECIFIED, type SpecifiedValues } from './specified.ts';

/** The values that are set in a guild, by field: `prefix`, `custom.xpRate`. Absent fields follow their defaults. */
export type SetValues = Readonly<Record<string, unknown>>;

export type CustomSettings = Readonly<Record<string, SettingValue>>;

export const CUSTOM = 'custom.';

/** The settings of a deployment: the specified ones, and those of a declaration. */
export class DeclaredSettings {
  /** Undefined: only the specified settings exist, and the interface is that of the specification. */
  readonly declaration: Declaration | undefined;
  /** Identifies the declaration in entity tags; undefined without a declaration. */
  readonly tag: string | undefined;
  /** All settings in the order of the record. `byField` has a renamed setting under each of its names. */
  readonly all: readonly Setting[];
  readonly byField: ReadonlyMap<string, Setting>;
  /** The declared settings; undefined: none, and records have no `custom`. */
  readonly custom: readonly Setting[] | undefined;
  /** Declared settings of a kind that this version does not know. They are skipped. */
  readonly unknown: readonly string[];
  readonly #specified: readonly Setting[];

  constructor(declaration?: Declaration, tag?: string) {
    this.declaration = declaration;
    this.tag = tag;
    const { settings, defaults } = declaration ?? {};
    const otherDefaults: Readonly<Record<string, SettingValue | undefined>> = { ...defaults };
    this.#specified = Object.entries(SPECIFIED).flatMap(
      ([name, declared]) => settingOf('record', name, declared, otherDefaults[name]) ?? [],
    );
    // The service also sends a renamed setting by its former names, for older readers.
    const custom = Object.entries(withoutFormer(settings ?? {}));
    const known = custom.flatMap(([name, declared]) => settingOf('custom', name, declared) ?? []);
    this.custom = custom.length === 0 ? undefined : known;
    this.all = [...this.#specified, ...known];
    this.byField = new Map(this.all.flatMap((setting) => fieldsOf(setting).map((field) => [field, setting])));
    this.unknown = custom.flatMap(([name]) => (this.byField.has(`${CUSTOM}${name}`) ? [] : [name]));
  }

  /**
   * Returns the effective settings in the order of the record: set values, and otherwise defaults.
   * @param onUnfit called for a value that does not have the type of its setting; the default applies instead
   */
  effective(set: SetValues, onUnfit?: (setting: Setting) => void): EffectiveSettings {
    const settings: Record<string, unknown> = {};
    for (const setting of this.#specified) settings[setting.name] = valueIn(set, setting, onUnfit);
    if (this.custom !== undefined) {
      const custom: Record<string, SettingValue> = {};
      for (const setting of this.custom) custom[setting.name] = valueIn(set, setting, onUnfit);
      settings.custom = custom;
    }
    return settings as EffectiveSettings;
  }

  /** Returns the effective value of a setting. */
  valueOf(set: SetValues, setting: Setting): SettingValue {
    return valueIn(set, setting);
  }

  /**
   * Returns the set values besides the specified settings, and the specified settings that follow a default: the form
   * of a record in events. It includes values of settings that are currently not declared, because they take effect
   * when they are declared again. A renamed setting is included under each of its names, because older readers only
   * know the former one.
   */
  sparse(set: SetValues): { readonly custom: CustomSettings; readonly unset: readonly string[] } {
    const custom = Object.entries(set).flatMap(([field, value]) => {
      if (!field.startsWith(CUSTOM)) return [];
      const setting = this.byField.get(field);
      const fields = setting === undefined ? [field] : fieldsOf(setting);
      const served = ((setting && inEffect(setting, value)) ?? value) as SettingValue;
      return fields.map((one) => [one.slice(CUSTOM.length), served] as const);
    });
    return {
      custom: Object.fromEntries(custom),
      unset: this.#specified.filter((setting) => !fits(setting, set[setting.field])).map(({ field }) => field),
    };
  }
}

/**
 * The settings of a record: the specified ones, including choices added by later versions, and `custom` if settings are
 * declared.
 */
export type EffectiveSettings = { [Name in keyof SpecifiedValues]: Open<SpecifiedValues[Name]> } & {
  custom?: CustomSettings;
};

type Open<Value> = Value extends string ? (string extends Value ? Value : Value | (string & {})) : Value;

function valueIn(set: SetValues, setting: Setting, onUnfit?: (setting: Setting) => void): SettingValue {
  const value = set[setting.field];
  if (value === undefined) return setting.default;
  const served = inEffect(setting, value);
  if (served === undefined) onUnfit?.(setting);
  return served ?? setting.default;
}

export const SPECIFIED_SETTINGS = new DeclaredSettings();

/** Returns settings without former names of others. */
export function withoutFormer<Declared extends object>(
  settings: Readonly<Record<string, Declared>>,
): Readonly<Record<string, Declared>> {
  const former = new Set(Object.values(settings).flatMap((declared) => ('was' in declared ? declared.was : [])));
  if (former.size === 0) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !former.has(name)));
}

/** Returns the fields for all names of a setting: the current one first, then those of `was` in order. */
function fieldsOf({ field, shownField, was }: Setting): readonly string[] {
  return was.length === 0 ? [field] : [shownField, ...was.map((name) => `${CUSTOM}${name}`)];
}
