import { createInstance } from 'i18next';
import { texts as enUS } from '../../i18n/locales/history/en-us.ts';
import { texts as esES } from '../../i18n/locales/history/es-es.ts';
import { texts as hi } from '../../i18n/locales/history/hi.ts';
import { texts as ja } from '../../i18n/locales/history/ja.ts';
import { texts as ru } from '../../i18n/locales/history/ru.ts';
import type { Words } from '../words.ts';

/** Texts of the history in all languages. */
export const TEXTS = { 'en-US': enUS, 'es-ES': esES, ru, ja, hi } as const;

/** Returns the words of a language with the real texts. */
export function wordsIn(language: keyof typeof TEXTS, more: Partial<Words> = {}): Words {
  const i18n = createInstance({
    lng: language,
    resources: { [language]: { history: TEXTS[language] } },
    ns: ['history'],
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  void i18n.init();
  return { t: i18n.getFixedT(language, 'history'), language, ...more };
}
