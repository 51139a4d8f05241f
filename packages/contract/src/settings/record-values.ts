import type { SettingValue } from './declaration.ts';
import type { CustomSettings } from './declared-settings.ts';
import type { Setting } from './setting.ts';

/** Settings by name, all or some: those of a record or of a patch. */
export interface SettingValues {
  readonly [name: string]: unknown;
  readonly custom?: CustomSettings;
}

/** Returns the value of a setting in a record or a patch; undefined: it has none. */
export function valueIn(settings: object, { name, place }: Setting): SettingValue | undefined {
  const all: SettingValues = { ...settings };
  const values: SettingValues | undefined = place === 'record' ? all : all.custom;
  return values && (values[name] as SettingValue | undefined);
}

/** Returns the patch that gives settings these values. */
export function patchOf(values: Iterable<readonly [setting: Setting, value: SettingValue]>): SettingValues {
  const patch: Record<string, unknown> = {};
  const custom: Record<string, SettingValue> = {};
  for (const [{ name, place }, value] of values) (place === 'record' ? patch : custom)[name] = value;
  return Object.keys(custom).length === 0 ? patch : { ...patch, custom };
}
