import { DEFAULT_SETTINGS, LANGUAGES, type Language } from '@guild-settings/contract';
import { type DeclaredSettings, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { commaList, type SharedText, type Translated, type Words } from '@guild-settings/i18n';
import { SHARED_TEXTS } from '@guild-settings/i18n/texts';
import { createInstance, type TFunction } from 'i18next';
import enUS from './locales/en-US/bot.json' with { type: 'json' };
import esES from './locales/es-ES/bot.json' with { type: 'json' };
import hi from './locales/hi/bot.json' with { type: 'json' };
import ja from './locales/ja/bot.json' with { type: 'json' };
import ru from './locales/ru/bot.json' with { type: 'json' };

export type { Language };

export const LOCALES: Readonly<Record<Language, Translated<typeof enUS>>> = {
  'en-US': enUS,
  hi,
  ru,
  ja,
  'es-ES': esES,
};

const texts = createInstance({
  resources: Object.fromEntries(
    LANGUAGES.map((language) => [language, { bot: LOCALES[language], shared: SHARED_TEXTS[language] }]),
  ),
  defaultNS: 'bot',
  fallbackLng: 'en-US',
  initAsync: false,
  // Discord shows plain text, not HTML.
  interpolation: { escapeValue: false },
  missingInterpolationHandler: (_text, [place]) => {
    throw new Error(`Expected a value for ${place} of a text`);
  },
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

export class Translator implements Words {
  readonly language: Language;
  readonly t: TFunction;
  readonly shared: SharedText;
  readonly settings: DeclaredSettings;
  readonly #relative: Intl.RelativeTimeFormat;

  constructor(language: Language, settings: DeclaredSettings = SPECIFIED_SETTINGS) {
    this.language = language;
    this.settings = settings;
    this.t = texts.getFixedT(language);
    this.shared = texts.getFixedT(language, 'shared');
    this.#relative = new Intl.RelativeTimeFormat(language);
  }

  moment(atMs: number, timeZone: string): string {
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
    return format.format(atMs);
  }

  /** Formats a time ahead in its largest unit: "in 10 minutes". */
  relative(aheadMs: number): string {
    const rounded = Math.round(aheadMs / SECOND) * SECOND;
    const [unit, size] = UNITS.find((candidate) => rounded >= candidate[1]) ?? UNITS[3];
    return this.#relative.format(Math.round(rounded / size), unit);
  }

  /** Formats a duration in at most two units: "1 hour, 30 minutes". */
  duration(durationMs: number): string {
    if (durationMs < SECOND) return this.#unit(Math.round(durationMs), 'millisecond');
    const parts: string[] = [];
    let rest = Math.round(durationMs / SECOND) * SECOND;
    for (const [unit, size] of UNITS) {
      if (rest < size || parts.length === 2) continue;
      parts.push(this.#unit(Math.floor(rest / size), unit));
      rest %= size;
    }
    return new Intl.ListFormat(this.language, { type: 'unit' }).format(parts);
  }

  list(items: readonly string[]): string {
    return commaList(items, this.language);
  }

  #unit(value: number, unit: string): string {
    return new Intl.NumberFormat(this.language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  }
}

const TRANSLATORS = new WeakMap<DeclaredSettings, Map<Language, Translator>>();

/**
 * Returns the translator of settings by their language; of English for one that a newer service has and this version has no texts for.
 * @param declared the settings of the deployment; the specified ones unless given
 */
export function translatorOf(
  { language }: { readonly language: string },
  declared: DeclaredSettings = SPECIFIED_SETTINGS,
): Translator {
  const known = isKnown(language) ? language : DEFAULT_SETTINGS.language;
  const translators = TRANSLATORS.get(declared) ?? new Map<Language, Translator>();
  const translator = translators.get(known) ?? new Translator(known, declared);
  TRANSLATORS.set(declared, translators.set(known, translator));
  return translator;
}

export function allTranslators(translator: Translator): Translator[] {
  const others = LANGUAGES.filter((language) => language !== translator.language);
  return [translator, ...others.map((language) => translatorOf({ language }, translator.settings))];
}

function isKnown(language: string): language is Language {
  return Object.hasOwn(LOCALES, language);
}

/** Returns the supported language that is closest to a locale of Discord, as `es-ES` is to `es-419`; undefined: there is none. */
export function languageOf(locale: string): Language | undefined {
  const [bare] = locale.split('-');
  return (
    LANGUAGES.find((language) => language === locale) ?? LANGUAGES.find((language) => language.split('-')[0] === bare)
  );
}
