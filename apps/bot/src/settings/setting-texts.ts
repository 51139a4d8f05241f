import { GuildSettings, type RecordSettings } from '@guild-settings/contract';
import { valueParts } from '@guild-settings/i18n';
import type { Translator } from '../i18n/translator.ts';
import { markdown } from './markdown.ts';

/** Name of a setting in the record. */
export type SettingName = keyof GuildSettings;

/** All settings, in the order of the record. */
export const SETTING_NAMES = GuildSettings.keyof().options;

/** Features that are listed by name. The others are counted. */
const MAX_LISTED_FEATURES = 10;

/** Formats the value of a setting in a language. */
export function settingText(name: SettingName, settings: RecordSettings, translator: Translator): string {
  return markdown(valueParts(name, settings[name], translator, MAX_LISTED_FEATURES), translator);
}
