import { createInstance } from 'i18next';
import { enUS } from '../texts/en-us.ts';
import { esES } from '../texts/es-es.ts';
import { hi } from '../texts/hi.ts';
import { ja } from '../texts/ja.ts';
import { ru } from '../texts/ru.ts';
import type { Words } from '../words.ts';

/** Texts about changes in all languages. */
export const TEXTS = { 'en-US': enUS, 'es-ES': esES, ru, ja, hi } as const;

/** Returns the words of a language with the real texts. */
export function wordsIn(language: keyof typeof TEXTS, more: Partial<Words> = {}): Words {
  const i18n = createInstance({
    lng: language,
    resources: { [language]: { history: TEXTS[language] } },
    defaultNS: 'history',
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  void i18n.init();
  return { t: (key, options = {}) => String(i18n.t(key, options)), language, ...more };
}
