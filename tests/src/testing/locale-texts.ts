import { BOT_TEXTS } from '@guild-settings/bot';
import type { Language } from '@guild-settings/contract';
import { LOCALES } from '@guild-settings/discord/framework';
import { flatTexts } from '@guild-settings/i18n/compare-texts';
import { SHARED_TEXTS } from '@guild-settings/i18n/texts';

/** Returns the texts of a language by their dotted keys, the shared ones below `shared`; the plural forms of a text share one key. */
export function localeTexts(language: Language): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  const all = [LOCALES[language], BOT_TEXTS[language], { shared: SHARED_TEXTS[language] }];
  for (const [key, text] of all.flatMap((one) => [...flatTexts(one)])) {
    const base = key.replace(/_(?:one|few|many|other)$/, '');
    texts.set(base, [...(texts.get(base) ?? []), text]);
  }
  return texts;
}

/** Returns true if a message contains a text of a locale, with any values for its placeholders. */
export function isFilledIn(text: string, message: string): boolean {
  const literals = text.split(/\{\{\w+\}\}/).map((literal) => literal.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(literals.join('[^]+?')).test(message);
}
