import { LABEL_LANGUAGES, type LabelLanguage } from '@guild-settings/contract';
import type { SharedTexts } from '@guild-settings/i18n';
import { replacementFlaws } from '@guild-settings/i18n/compare-texts';
import type enUS from './locales/en-US/discord.json';
import { SETTINGS_TEXTS } from './translator.ts';

/** @see https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html */
type PluralForm<Locale extends LabelLanguage> = Locale extends 'id' | 'ja' | 'ko' | 'th' | 'vi' | 'zh-CN' | 'zh-TW'
  ? 'other'
  : Locale extends 'es-419' | 'es-ES' | 'fr' | 'it' | 'pt-BR'
    ? 'one' | 'many' | 'other'
    : Locale extends 'hr' | 'ro'
      ? 'one' | 'few' | 'other'
      : Locale extends 'cs' | 'lt' | 'pl' | 'ru' | 'uk'
        ? 'one' | 'few' | 'many' | 'other'
        : 'one' | 'other';

/** Some of the texts of a file, with the plural forms of a language. */
type Some<Texts, Form extends string> = {
  readonly [Key in keyof Texts as Key extends '_comment' | `${string}_one`
    ? never
    : Key extends `${infer Base}_other`
      ? `${Base}_${Form}`
      : Key]?: Texts[Key] extends string ? string : Some<Texts[Key], Form>;
};

/**
 * Texts that replace those of the package, or for a language that it does not have, by Discord's locales. `{{…}}` is
 * interpolated, and a text that depends on a number has a form per plural category of its language. Missing texts are
 * in English.
 * @example
 * { 'en-US': { commands: { settings: { description: 'Configure Melody' } } } }
 */
export type SettingsTexts = {
  readonly [Locale in LabelLanguage]?: Some<typeof enUS & { readonly shared: SharedTexts }, PluralForm<Locale>>;
};

/** @throws TypeError that lists every unusable text */
export function requireTexts(texts: SettingsTexts): void {
  const { 'en-US': english = {} } = SETTINGS_TEXTS;
  const flaws = Object.entries(texts).flatMap(([locale, some]: [string, unknown]): string[] => {
    if (some === undefined) return [];
    if (!LABEL_LANGUAGES.some((known) => known === locale)) {
      return [`${locale} is not a locale of Discord, which are ${LABEL_LANGUAGES.toSorted().join(', ')}`];
    }
    if (typeof some !== 'object' || some === null) return [`${locale} has no texts`];
    const flaws = replacementFlaws(locale, some, english, SETTINGS_TEXTS[locale]);
    return flaws.map((flaw) => `${locale}: ${flaw}`);
  });
  if (flaws.length > 0) throw new TypeError(`Expected texts that match the English ones: ${flaws.join('; ')}`);
}
