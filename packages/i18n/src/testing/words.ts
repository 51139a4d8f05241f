import type { Language } from '@guild-settings/contract/constants';
import { SPECIFIED_SETTINGS, valueIn } from '@guild-settings/contract/settings';
import { createInstance } from 'i18next';
import { flawOf, type ShownFlaw } from '../flaws.ts';
import { SHARED_TEXTS } from '../texts.ts';
import type { Words } from '../words.ts';

export function wordsIn(language: Language): Words {
  const i18n = createInstance({
    lng: language,
    resources: { [language]: { shared: SHARED_TEXTS[language] } },
    ns: ['shared'],
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  void i18n.init();
  return { shared: i18n.getFixedT(language, 'shared'), language };
}

export function flawsOf(settings: object): Readonly<Record<string, ShownFlaw>> {
  const flaws = SPECIFIED_SETTINGS.all.flatMap((setting) => {
    const value = valueIn(settings, setting);
    const flaw = value === undefined ? undefined : flawOf(setting, value);
    return flaw === undefined ? [] : [[setting.field, flaw] as const];
  });
  return Object.fromEntries(flaws);
}
