import type { Language } from '@guild-settings/contract/constants';
import { createInstance } from 'i18next';
import { SHARED } from '../constants.ts';
import { SHARED_TEXTS } from '../texts.ts';
import type { Words } from '../words.ts';

/** Returns the words of a language with the real texts. */
export function wordsIn(language: Language): Words {
  const i18n = createInstance({
    lng: language,
    resources: { [language]: { [SHARED]: SHARED_TEXTS[language] } },
    ns: [SHARED],
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  void i18n.init();
  return { shared: i18n.getFixedT(language, SHARED), language };
}
