import { Locale, type LocalizationMap } from 'discord-api-types/v10';

/** Discord's fallback locales. */
const FALLBACKS: Partial<Record<`${Locale}`, Locale>> = {
  [Locale.EnglishUS]: Locale.EnglishGB,
  [Locale.EnglishGB]: Locale.EnglishUS,
  [Locale.SpanishLATAM]: Locale.SpanishES,
};

/**
 * Returns a text of a command in one language, or the untranslated one.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#localization
 */
export function localised(text: string, map: LocalizationMap | null | undefined, locale: `${Locale}`): string {
  const fallback = FALLBACKS[locale];
  return map?.[locale] ?? (fallback && map?.[fallback]) ?? text;
}
