import type { GuildSettings } from '../guild.ts';
import type { ServedSettings } from '../served-settings.ts';
import type { Declaration } from './declaration.ts';
import { type CustomSettings, DeclaredSettings, SPECIFIED_SETTINGS } from './declared-settings.ts';
import type { Setting } from './setting.ts';
import type { SettingValue } from './setting-declaration.ts';

/** Values of some settings in the form of a record: a patch. */
export type SettingValues = PatchOf<SettingValue>;

/** Values to set; null resets to the default, if settings are declared. */
export type SettingsPatch = PatchOf<SettingValue | null>;

type PatchOf<Value> = { [Name in keyof GuildSettings]?: GuildSettings[Name] | Extract<Value, null> } & {
  readonly custom?: Readonly<Record<string, Value>>;
};

type Placed = Pick<Setting, 'name' | 'place'>;

/** Returns the value of a setting in a record or a patch; undefined: absent. */
export function valueIn(settings: object, { name, place }: Placed): SettingValue | undefined {
  const all = settings as Readonly<Record<string, unknown>> & { readonly custom?: CustomSettings };
  return (place === 'record' ? all[name] : all.custom?.[name]) as SettingValue | undefined;
}

/** Returns the patch that sets these values; null resets to the default, if settings are declared. */
export function patchOf<Value extends SettingValue | null>(
  values: Iterable<readonly [setting: Placed, value: Value]>,
): PatchOf<Value> {
  const patch: Record<string, unknown> = {};
  const custom: Record<string, Value> = {};
  for (const [{ name, place }, value] of values) (place === 'record' ? patch : custom)[name] = value;
  return Object.keys(custom).length === 0 ? patch : { ...patch, custom };
}

/** Returns the settings of a deployment as sent by the service, with their texts. */
export function servedDeclaration({ tag, ...declaration }: ServedSettings): DeclaredSettings {
  // A value of a later version is a default like any other.
  return tag === null ? SPECIFIED_SETTINGS : new DeclaredSettings(declaration as Declaration, tag);
}
