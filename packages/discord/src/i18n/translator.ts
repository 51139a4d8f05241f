import { DEFAULT_SETTINGS, type GuildSettings, LANGUAGES, type Language } from '@guild-settings/contract';
import { type DeclaredSettings, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import {
  commaList,
  type SharedText,
  type SharedTexts,
  type TextIn,
  type Translated,
  type Words,
} from '@guild-settings/i18n';
import type { Texts } from '@guild-settings/i18n/compare-texts';
import { SHARED_TEXTS } from '@guild-settings/i18n/texts';
import { createInstance, type i18n } from 'i18next';
import enUS from './locales/en-US/discord.json' with { type: 'json' };
// In declarations, TypeScript requires an import attribute that it does not emit itself.
import type EnUS from './locales/en-US/discord.json';
import esES from './locales/es-ES/discord.json' with { type: 'json' };
import hi from './locales/hi/discord.json' with { type: 'json' };
import ja from './locales/ja/discord.json' with { type: 'json' };
import ru from './locales/ru/discord.json' with { type: 'json' };

export type { Language };

/** Each specified setting has a word that people type for it. */
type SettingWords = { readonly words: Readonly<Record<keyof GuildSettings, string>> };

export const LOCALES: Readonly<Record<Language, Translated<typeof EnUS>>> = {
  'en-US': enUS satisfies SettingWords,
  hi,
  ru,
  ja,
  'es-ES': esES,
};

/** The texts of a command, a subcommand or an option, in one language. */
export interface CommandTexts {
  readonly name: string;
  readonly description: string;
  readonly options?: Readonly<Record<string, CommandTexts>>;
  readonly subcommands?: Readonly<Record<string, CommandTexts>>;
}

export type CommandPath = readonly [command: string, subcommand?: string];

/** Texts by language, a locale of Discord. A later layer overrides an earlier one. */
export type TextLayer = Readonly<Partial<Record<string, object>>>;

const NAMESPACE = 'discord';

/** The languages that provide missing texts. */
const FALLBACKS = { 'es-419': ['es-ES', 'en-US'], default: ['en-US'] } as const;

export const SETTINGS_TEXTS: Readonly<Record<string, Texts>> = Object.fromEntries(
  LANGUAGES.map((language) => [language, { ...LOCALES[language], shared: SHARED_TEXTS[language] }]),
);

/**
 * The texts of a bot's commands in all languages: those of the settings, and its own layers, which may add languages.
 * @see https://www.i18next.com/principles/fallback
 */
export class Vocabulary {
  readonly languages: readonly string[];
  readonly #texts: i18n;
  readonly #translators = new WeakMap<DeclaredSettings, Map<string, Translator>>();

  /** Returns a layer that gives a command the same name in all languages. */
  static naming(command: string, name: string): TextLayer {
    return Object.fromEntries(LANGUAGES.map((language) => [language, { commands: { [command]: { name } } }]));
  }

  constructor(...layers: readonly TextLayer[]) {
    this.#texts = createInstance({
      resources: {},
      defaultNS: NAMESPACE,
      fallbackLng: FALLBACKS,
      initAsync: false,
      // Discord shows plain text, not HTML.
      interpolation: { escapeValue: false },
      missingInterpolationHandler: (_text, [place]) => {
        throw new Error(`Expected a value for ${place} of a text`);
      },
    });
    void this.#texts.init();
    const all = [SETTINGS_TEXTS, ...layers].flatMap((layer) => Object.entries(layer));
    for (const [language, texts] of all) this.#texts.addResourceBundle(language, NAMESPACE, texts, true, true);
    this.languages = [...new Set(all.map(([language]) => language))];
    for (const language of this.languages) {
      if (isOfService(language)) continue;
      // Names are read as an object, for which i18next has no fallback.
      const [model] = language === 'es-419' ? FALLBACKS[language] : FALLBACKS.default;
      const { commands, words } = this.#texts.getResourceBundle(model, NAMESPACE);
      this.#texts.addResourceBundle(language, NAMESPACE, { commands, words }, true, false);
    }
  }

  /** Returns the available language that is closest to a locale of Discord; undefined: none. */
  languageOf(locale: string): string | undefined {
    return closestLanguage(locale, this.languages);
  }

  /**
   * Returns the translator for a language of the settings; the English one for a language without texts, added by a
   * newer service.
   * @param declared the settings of the deployment; the specified ones unless given
   */
  translatorOf(
    { language }: { readonly language: string },
    declared: DeclaredSettings = SPECIFIED_SETTINGS,
  ): Translator {
    const known = this.languages.includes(language) ? language : DEFAULT_SETTINGS.language;
    const translators = this.#translators.get(declared) ?? new Map<string, Translator>();
    const translator = translators.get(known) ?? new Translator(known, declared, this);
    this.#translators.set(declared, translators.set(known, translator));
    return translator;
  }

  /** @param prefix the key prefix of its texts */
  textsIn<Texts>(language: string, prefix?: string): TextIn<Texts> {
    return this.#texts.getFixedT(language, NAMESPACE, prefix) as TextIn<Texts>;
  }

  commandTexts(language: string, [command, subcommand]: CommandPath): CommandTexts {
    const found: CommandTexts = this.#texts.getResource(language, NAMESPACE, `commands.${command}`);
    return subcommand === undefined ? found : (found.subcommands?.[subcommand] ?? found);
  }

  /** Returns the localized word for a setting or a value; without a translation, the name itself. */
  wordIn(language: string, value: string): string {
    if (value === 'on' || value === 'off' || value === 'none') {
      return this.textsIn<SharedTexts>(language, 'shared')(`value.${value}`);
    }
    const words: Readonly<Record<string, string>> = this.#texts.getResource(language, NAMESPACE, 'words');
    return (Object.hasOwn(words, value) && words[value]) || value;
  }
}

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

/** Maximum units of a duration that is not exact. */
const MAX_UNITS = 2;

/** Returns the parts of a duration, largest unit first. */
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
  /** A locale of Discord: a language of the service, or an additional one of the vocabulary. */
  readonly language: string;
  readonly t: TextIn<typeof EnUS>;
  readonly shared: SharedText;
  readonly settings: DeclaredSettings;
  readonly vocabulary: Vocabulary;
  readonly #relative: Intl.RelativeTimeFormat;

  constructor(language: string, settings: DeclaredSettings, vocabulary: Vocabulary) {
    this.language = language;
    this.settings = settings;
    this.vocabulary = vocabulary;
    this.t = vocabulary.textsIn(language);
    this.shared = vocabulary.textsIn(language, 'shared');
    this.#relative = new Intl.RelativeTimeFormat(language);
  }

  commandTexts(path: CommandPath): CommandTexts {
    return this.vocabulary.commandTexts(this.language, path);
  }

  /** Returns the localized word for a setting or a value; without a translation, the name itself. */
  word(value: string): string {
    return this.vocabulary.wordIn(this.language, value);
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
    // An abbreviation is ambiguous.
    return (/^(?:UTC|GMT)/.test(zone) ? format : inStyle('shortOffset')).format(atMs);
  }

  /** Formats a future time in its units: "in 1 hour 30 minutes". */
  relative(aheadMs: number, maxUnits: number = MAX_UNITS): string {
    const times = partsOf(Math.max(aheadMs, SECOND), maxUnits).map(([count, unit]) =>
      this.#relative.format(count, unit),
    );
    // The word before or after all units is their common part, which is needed only once.
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

export function allTranslators(translator: Translator): Translator[] {
  const { settings, vocabulary } = translator;
  const others = vocabulary.languages.filter((language) => language !== translator.language);
  return [translator, ...others.map((language) => vocabulary.translatorOf({ language }, settings))];
}

function isOfService(language: string): boolean {
  return Object.hasOwn(LOCALES, language);
}

/** Returns the language that is closest to a locale of Discord, as `es-ES` is to `es-419`; undefined: none. */
export function closestLanguage<Tag extends string>(locale: string, languages: readonly Tag[]): Tag | undefined {
  return (
    languages.find((language) => language === locale) ??
    languages.find((language) => writtenAs(language) === writtenAs(locale))
  );
}

/** Locales of Discord with their scripts: the registration of a command needs each some hundred times. */
const WRITTEN = new Map<string, string>();

/** Returns a language with its script: Chinese has two, and few people read both. */
function writtenAs(locale: string): string {
  const known = WRITTEN.get(locale);
  if (known !== undefined) return known;
  const { language, script } = new Intl.Locale(locale).maximize();
  const written = `${language}-${script}`;
  WRITTEN.set(locale, written);
  return written;
}
