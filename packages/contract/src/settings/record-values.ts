import type { GuildSettings } from '../guild.ts';
import type { ServedSettings } from '../served-settings.ts';
import type { Declaration } from './declaration.ts';
import { type CustomSettings, DeclaredSettings, SPECIFIED_SETTINGS } from './declared-settings.ts';
import type { Setting } from './setting.ts';
import type { SettingValue } from './setting-declaration.ts';

/** Values of some settings, as a record has them: a patch. */
export type SettingValues = PatchOf<SettingValue>;

/** Values to set of some settings; null: back to the default, where settings are declared. */
export type SettingsPatch = PatchOf<SettingValue | null>;

type PatchOf<Value> = { [Name in keyof GuildSettings]?: GuildSettings[Name] | Extract<Value, null> } & {
  readonly custom?: Readonly<Record<string, Value>>;
};

type Placed = Pick<Setting, 'name' | 'place'>;

/** Returns the value of a setting in a record or a patch; undefined: it has none. */
export function valueIn(settings: object, { name, place }: Placed): SettingValue | undefined {
  const all = settings as Readonly<Record<string, unknown>> & { readonly custom?: CustomSettings };
  return (place === 'record' ? all[name] : all.custom?.[name]) as SettingValue | undefined;
}

/** Returns the patch that gives settings these values; null: back to the default, where settings are declared. */
export function patchOf<Value extends SettingValue | null>(
  values: Iterable<readonly [setting: Placed, value: Value]>,
): PatchOf<Value> {
  const patch: Record<string, unknown> = {};
  const custom: Record<string, Value> = {};
  for (const [{ name, place }, value] of values) (place === 'record' ? patch : custom)[name] = value;
  return Object.keys(custom).length === 0 ? patch : { ...patch, custom };
}

/** Returns the settings of a deployment as the service has sent them, with their texts. */
export function servedDeclaration({ tag, ...declaration }: ServedSettings): DeclaredSettings {
  // A value that a later version has is a default like any other.
  return tag === null ? SPECIFIED_SETTINGS : new DeclaredSettings(declaration as Declaration, tag);
}
