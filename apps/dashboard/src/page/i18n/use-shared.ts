import type { Words } from '@guild-settings/i18n';
import { SHARED } from '@guild-settings/i18n/constants';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** Returns the texts that the page shares with the bot, in the language of the page. */
export function useShared(): Words {
  const { t, i18n } = useTranslation(SHARED);
  const { language } = i18n;
  return useMemo(() => ({ shared: t, language }), [t, language]);
}
