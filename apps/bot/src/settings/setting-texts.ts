import { GuildSettings, type RecordSettings } from '@guild-settings/contract';
import { channelIdOf } from '../discord/channels.ts';
import { code, wordFor } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';

/** Name of a setting in the record. */
export type SettingName = keyof GuildSettings;

/** All settings, in the order of the record. */
export const SETTING_NAMES = GuildSettings.keyof().options;

/** Features that are listed by name. The others are counted. */
const MAX_LISTED_FEATURES = 10;

/** Formats the value of a setting in a language. */
export function settingText(name: SettingName, settings: RecordSettings, translator: Translator): string {
  const word = (value: string) => wordFor(translator.language, value);
  switch (name) {
    case 'prefix':
      return settings.prefix === '' ? word('none') : code(settings.prefix);
    case 'announcement_channel': {
      const channel = settings.announcement_channel;
      if (channel === '') return word('none');
      return channelIdOf(channel) === undefined ? code(channel) : `<#${channel}>`;
    }
    case 'beta':
      return word(settings.beta ? 'on' : 'off');
    case 'language':
      return `${translator.languageName(settings.language)} (${settings.language})`;
    case 'enabledFeatures':
      return features(settings.enabledFeatures, translator);
  }
}

function features(names: readonly string[], translator: Translator): string {
  if (names.length === 0) return wordFor(translator.language, 'none');
  const shown = names.slice(0, MAX_LISTED_FEATURES).map(code);
  const more = names.length - shown.length;
  return translator.list(more > 0 ? [...shown, translator.t('settings.more', { count: more })] : shown);
}
