import { type GuildSettings, LANGUAGES } from '@guild-settings/contract';
import { createInstance, type TFunction } from 'i18next';
import type { Locale } from './locale.ts';
import { enUS } from './locales/en-us.ts';
import { esES } from './locales/es-es.ts';
import { hi } from './locales/hi.ts';
import { ja } from './locales/ja.ts';
import { ru } from './locales/ru.ts';

/** A language that a guild can choose. */
export type Language = GuildSettings['language'];

/** The texts of each language. */
export const LOCALES: Readonly<Record<Language, Locale>> = { 'en-US': enUS, hi, ru, ja, 'es-ES': esES };

const texts = createInstance({
  resources: Object.fromEntries(LANGUAGES.map((language) => [language, { translation: LOCALES[language] }])),
  fallbackLng: 'en-US',
  initAsync: false,
  // Discord shows text, not HTML.
  interpolation: { escapeValue: false },
});
void texts.init();

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
] as const;

/** How the bot speaks one language: its texts, and dates, durations and lists as the language writes them. */
export class Translator {
  readonly language: Language;
  /** A text by its key, filled in. */
  readonly t: TFunction;
  readonly #relative: Intl.RelativeTimeFormat;
  readonly #languageNames: Intl.DisplayNames;

  constructor(language: Language) {
    this.language = language;
    this.t = texts.getFixedT(language);
    this.#relative = new Intl.RelativeTimeFormat(language);
    this.#languageNames = new Intl.DisplayNames(language, { type: 'language' });
  }

  /** A date and time, with the zone's name. `at` in milliseconds since 1970. */
  moment(at: number, timeZone: string): string {
    const format = new Intl.DateTimeFormat(this.language, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      hourCycle: this.language === 'en-US' ? 'h12' : 'h23',
      timeZone,
      timeZoneName: 'short',
    });
    return format.format(at);
  }

  /** How far ahead something is, in its largest unit: "in 10 minutes". Milliseconds. */
  relative(ahead: number): string {
    const rounded = Math.round(ahead / SECOND) * SECOND;
    const [unit, size] = UNITS.find((candidate) => rounded >= candidate[1]) ?? UNITS[3];
    return this.#relative.format(Math.round(rounded / size), unit);
  }

  /** A length of time in at most two units: "1 hour, 30 minutes". Milliseconds. */
  duration(length: number): string {
    if (length < SECOND) return this.#unit(Math.round(length), 'millisecond');
    const parts: string[] = [];
    let rest = Math.round(length / SECOND) * SECOND;
    for (const [unit, size] of UNITS) {
      if (rest < size || parts.length === 2) continue;
      parts.push(this.#unit(Math.floor(rest / size), unit));
      rest %= size;
    }
    return new Intl.ListFormat(this.language, { type: 'unit' }).format(parts);
  }

  /** Things side by side. */
  list(items: readonly string[]): string {
    return items.join(this.language === 'ja' ? '、' : ', ');
  }

  /** What this language calls a language. */
  languageName(language: Language): string {
    return this.#languageNames.of(language) ?? language;
  }

  #unit(value: number, unit: string): string {
    return new Intl.NumberFormat(this.language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  }
}

const TRANSLATORS: Readonly<Record<Language, Translator>> = {
  'en-US': new Translator('en-US'),
  hi: new Translator('hi'),
  ru: new Translator('ru'),
  ja: new Translator('ja'),
  'es-ES': new Translator('es-ES'),
};

/** The translator of a language. */
export function translatorOf(language: Language): Translator {
  return TRANSLATORS[language];
}
