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

/** Units in which a duration is given, unless it is exact. */
const MAX_UNITS = 2;

/** Returns the units that a duration is made of, from the largest one on. */
function partsOf(durationMs: number, maxUnits: number) {
  let rest = Math.round(durationMs / SECOND) * SECOND;
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return [count, unit] as const;
  });
  return parts.filter(([count]) => count > 0).slice(0, maxUnits);
}

function sharedLength(texts: readonly string[], at: (text: string, index: number) => string | undefined): number {
  let length = 0;
  while (new Set(texts.map((text) => at(text, length))).size === 1) length += 1;
  return length;
}

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
    const inStyle = (timeZoneName: 'short' | 'shortOffset') =>
      new Intl.DateTimeFormat(this.language, {
        year: 'numeric',
        month: 'long',
        day: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
        hourCycle: this.language === 'en-US' ? 'h12' : 'h23',
        timeZone,
        timeZoneName,
      });
    const format = inStyle('short');
    const zone = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    // An abbreviation has several meanings.
    return (/^(?:UTC|GMT)/.test(zone) ? format : inStyle('shortOffset')).format(atMs);
  }

  /** Formats a time ahead in its units: "in 1 hour 30 minutes". */
  relative(aheadMs: number, maxUnits: number = MAX_UNITS): string {
    const times = partsOf(Math.max(aheadMs, SECOND), maxUnits).map(([count, unit]) =>
      this.#relative.format(count, unit),
    );
    // The word before all units, or after them, is the part that they share. One is enough.
    const all = UNITS.flatMap(([unit]) => [1, 5].map((count) => this.#relative.format(count, unit)));
    const before = sharedLength(all, (text, index) => text.at(index));
    const after = sharedLength(all, (text, index) => text.at(-1 - index));
    const isLast = (index: number) => index === times.length - 1;
    return times
      .map((time, index) => time.slice(index === 0 ? 0 : before, time.length - (isLast(index) ? 0 : after)))
      .join(' ');
  }

  /** Formats a duration in at most two units: "1 hour, 30 minutes". */
  duration(durationMs: number): string {
    if (durationMs < SECOND) return this.#unit(Math.round(durationMs), 'millisecond');
    const parts = partsOf(durationMs, MAX_UNITS).map(([count, unit]) => this.#unit(count, unit));
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
