import { type DeclaredSettings, fits, type Setting, type SettingValue } from '@guild-settings/contract/settings';
import { plainText, valueParts, type Words } from '@guild-settings/i18n';
import type { TFunction } from 'i18next';

export interface ValueWords extends Words {
  readonly settings: DeclaredSettings;
  readonly t: TFunction<'settings'>;
  readonly channelText: (id: string) => string;
  readonly roleText: (id: string) => string;
  readonly featureText: (id: string) => string;
}

/** Returns all of a value, where it stands by itself: within a sentence, a long text and a long list are cut off. */
export function wholeText(setting: Setting, value: SettingValue, words: ValueWords): string {
  if (setting.kind.control !== 'text' || value === '' || !fits(setting, value)) {
    return valueText(setting, value, words, Number.POSITIVE_INFINITY);
  }
  if (!Array.isArray(value)) return words.t('quoted', { value });
  return value.length === 0
    ? valueText(setting, value, words)
    : new Intl.ListFormat(words.language, { type: 'conjunction' }).format(value.map(String));
}

/** @param maxListed how many items of a list are named. The others are counted. */
export function valueText(
  setting: Setting,
  value: SettingValue | undefined,
  words: ValueWords,
  maxListed?: number,
): string {
  const { field, kind } = setting;
  const text = plainText(valueParts(field, value, words, maxListed), {
    channel: words.channelText,
    role: words.roleText,
    person: ({ kind }) => kind,
  });
  const isQuoted = value !== '' && (kind.control === 'text' || !fits(setting, value)) && setting.many === undefined;
  return isQuoted ? words.t('quoted', { value: text }) : text;
}
