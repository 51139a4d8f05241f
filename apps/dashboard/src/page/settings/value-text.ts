import type { RecordSettings } from '@guild-settings/contract';
import type { Setting } from '@guild-settings/contract/settings';
import { plainText, valueParts, type Words } from '@guild-settings/i18n';
import type { TFunction } from 'i18next';
import { valueIn } from '../draft/fields.ts';

/** What the text of a value depends on. */
export interface ValueWords extends Words {
  readonly t: TFunction<'settings'>;
  /** Returns the name of a channel with its sign, or its id where the name is not known. */
  readonly channelText: (id: string) => string;
  /** Returns the name of a feature, or its id where the name is not known. */
  readonly featureText: (id: string) => string;
}

/** Returns the value of a setting for readers. */
export function valueText({ field, kind }: Setting, settings: RecordSettings, words: ValueWords): string {
  const value = valueIn(settings, field);
  const text = plainText(valueParts(field, value, words), {
    channel: words.channelText,
    person: ({ kind }) => kind,
  });
  return kind.control === 'text' && value !== '' ? words.t('quoted', { value: text }) : text;
}
