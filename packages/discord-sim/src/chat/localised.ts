import { Locale, type LocalizationMap } from 'discord-api-types/v10';

/** Where Discord looks when a text has no translation for a locale. */
const FALLBACKS: Partial<Record<`${Locale}`, Locale>> = {
  [Locale.EnglishUS]: Locale.EnglishGB,
  [Locale.EnglishGB]: Locale.EnglishUS,
  [Locale.SpanishLATAM]: Locale.SpanishES,
};

/**
 * A text of a command in one language, or as it was registered.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#localization
 */
export function localised(text: string, map: LocalizationMap | null | undefined, locale: `${Locale}`): string {
  const fallback = FALLBACKS[locale];
  return map?.[locale] ?? (fallback && map?.[fallback]) ?? text;
}
