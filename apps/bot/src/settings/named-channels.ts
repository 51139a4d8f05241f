import type { RecordSettings, Snowflake } from '@guild-settings/contract';
import { type DeclaredSettings, type Setting, valueIn } from '@guild-settings/contract/settings';
import { channelIdOf } from '../discord/channels.ts';

export function settingsNaming(
  channelId: Snowflake,
  settings: RecordSettings,
  declared: DeclaredSettings,
): readonly Setting[] {
  return declared.all.filter((setting) => channelsIn(setting, settings).includes(channelId));
}

export function namedChannels(settings: RecordSettings, declared: DeclaredSettings): Snowflake[] {
  return [...new Set(declared.all.flatMap((setting) => channelsIn(setting, settings)))];
}

function channelsIn(setting: Setting, settings: RecordSettings): Snowflake[] {
  if (setting.declared.kind !== 'channel') return [];
  const items = [valueIn(settings, setting) ?? setting.default].flat();
  return items.flatMap((item) => channelIdOf(String(item)) ?? []);
}
