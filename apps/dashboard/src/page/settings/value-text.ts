import type { RecordSettings } from '@guild-settings/contract';
import type { TFunction } from 'i18next';
import type { ScalarField } from '../draft/fields.ts';
import { LANGUAGE_NAMES } from '../i18n/languages.ts';

/** What the text of a value depends on. */
export interface ValueWords {
  readonly t: TFunction<'settings'>;
  /** Returns the name of a channel; undefined: not known. */
  readonly channelName: (id: string) => string | undefined;
}

/** Returns the value of a setting for readers. */
export function valueText(field: ScalarField, settings: RecordSettings, { t, channelName }: ValueWords): string {
  switch (field) {
    case 'beta':
      return t(settings.beta ? 'value.on' : 'value.off');
    case 'language':
      return Object.entries(LANGUAGE_NAMES).find(([tag]) => tag === settings.language)?.[1] ?? settings.language;
    case 'prefix':
      return settings.prefix === '' ? t('value.none') : t('value.quoted', { value: settings.prefix });
    case 'announcement_channel': {
      const id = settings.announcement_channel;
      const name = channelName(id);
      return id === '' ? t('value.none') : name === undefined ? id : `#${name}`;
    }
  }
}
