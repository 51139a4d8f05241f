import { type DeclaredSettings, fits, type Setting, type SettingValue } from '@guild-settings/contract/settings';
import { plainText, valueParts, type Words } from '@guild-settings/i18n';
import type { TFunction } from 'i18next';

/** What the text of a value depends on. */
export interface ValueWords extends Words {
  readonly settings: DeclaredSettings;
  readonly t: TFunction<'settings'>;
  /** Returns the name of a channel with its sign, or its id where the name is not known. */
  readonly channelText: (id: string) => string;
  /** Returns the name of a role with its sign, or its id where the name is not known. */
  readonly roleText: (id: string) => string;
  /** Returns the name of a feature, or its id where the name is not known. */
  readonly featureText: (id: string) => string;
}

/** Returns a value of a setting for readers. */
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
