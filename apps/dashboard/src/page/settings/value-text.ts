import {
  type DeclaredSettings,
  fits,
  type Item,
  type Setting,
  type SettingValue,
} from '@guild-settings/contract/settings';
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
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
  if (setting.kind.control === 'text' && !isEmpty && fits(setting, value)) {
    return Array.isArray(value)
      ? new Intl.ListFormat(words.language, { type: 'conjunction' }).format(value.map(String))
      : words.t('quoted', { value });
  }
  const text = valueText(setting, value, words, Number.POSITIVE_INFINITY);
  const isWord = isEmpty || typeof value === 'boolean';
  return isWord ? text.charAt(0).toLocaleUpperCase(words.language) + text.slice(1) : text;
}

/** Returns an item of a list, where it stands by itself. */
export function itemText(setting: Setting, item: Item, words: ValueWords): string {
  return setting.kind.control === 'text'
    ? words.t('quoted', { value: item })
    : wholeText(setting, [item] as SettingValue, words);
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
    feature: words.featureText,
    person: ({ kind }) => kind,
  });
  const isQuoted = value !== '' && (kind.control === 'text' || !fits(setting, value)) && setting.many === undefined;
  return isQuoted ? words.t('quoted', { value: text }) : text;
}
