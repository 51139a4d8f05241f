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
  const one = { ...setting, many: undefined };
  if (Array.isArray(value) && value.length > 0 && fits(setting, value)) {
    const items = value.map((item) => (setting.kind.control === 'text' ? String(item) : valueText(one, item, words)));
    return new Intl.ListFormat(words.language, { type: 'conjunction' }).format(items);
  }
  const isText = setting.kind.control === 'text' && typeof value === 'string' && value !== '';
  return isText ? words.t('quoted', { value }) : valueText(setting, value, words);
}

export function valueText(setting: Setting, value: SettingValue | undefined, words: ValueWords): string {
  const { field, kind } = setting;
  const text = plainText(valueParts(field, value, words), {
    channel: words.channelText,
    role: words.roleText,
    person: ({ kind }) => kind,
  });
  const isQuoted = value !== '' && (kind.control === 'text' || !fits(setting, value)) && setting.many === undefined;
  return isQuoted ? words.t('quoted', { value: text }) : text;
}
