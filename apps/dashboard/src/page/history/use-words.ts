import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Words } from './words.ts';

/** Returns what texts about changes depend on: the language of the page. */
export function useWords(): Words {
  const { t, i18n } = useTranslation('history');
  const { language } = i18n;
  return useMemo(() => ({ t, language }), [t, language]);
}
