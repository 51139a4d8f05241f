import { LANGUAGES } from '@guild-settings/contract';
import type { Language } from './translator.ts';

/** Returns the supported language that is closest to a locale of Discord, as `es-ES` is to `es-419`; undefined: there is none. */
export function languageOf(locale: string): Language | undefined {
  const [bare] = locale.split('-');
  return (
    LANGUAGES.find((language) => language === locale) ?? LANGUAGES.find((language) => language.split('-')[0] === bare)
  );
}
