import { type DeclaredSettings, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import type { Words } from '@guild-settings/i18n';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeclared } from '../service/served-settings.ts';

export interface SharedWords extends Words {
  readonly settings: DeclaredSettings;
}

/** Returns the texts that the page shares with the bot, with the settings of the service if they are loaded. */
export function useShared(): SharedWords {
  const { t, i18n } = useTranslation('shared');
  const { language } = i18n;
  const settings = useDeclared() ?? SPECIFIED_SETTINGS;
  return useMemo(() => ({ shared: t, language, settings }), [t, language, settings]);
}
