import { LANGUAGES, type Language } from '@guild-settings/contract/constants';
import {
  emojiOf,
  folded,
  type KindName,
  type Mentioned,
  type Setting,
  type Texts,
  type TypedWords,
  textIn,
} from '@guild-settings/contract/settings';
import { languageName } from '../words.ts';
import { colorIn, type NamedValue, namedColors } from './colors.ts';
import { secondsIn } from './durations.ts';
import { inLanguage } from './in-language.ts';
import { numberIn } from './numbers.ts';
import { timeIn } from './times.ts';
import { timeZoneIn } from './zones.ts';

interface TypedWordsOptions {
  readonly language: string;
  /** Returns the thing of a guild that a text mentions; undefined: none. */
  readonly idOf?: TypedWords['idOf'];
}

/** Returns the parsers of words that people type for the values of a setting in a language, or in English. */
export function typedWords(setting: Setting, { language, idOf }: TypedWordsOptions): TypedWords {
  const { declared } = setting;
  return {
    wordOf: (typed) => wordOf(typed, declared.kind === 'switch', language),
    idOf: (typed, mentioned) => idOf?.(typed, mentioned) ?? idIn(typed, mentioned),
    namesOf: (choice) => namesOf(setting, choice, language),
    numberIn: (typed, decimals) => numberIn(typed, decimals, language),
    secondsIn: (typed) => secondsIn(typed, language),
    valueIn: (kind, typed) => READERS[kind]?.(typed, language),
  };
}

/** The parsers of kinds that people express in words. */
const READERS: {
  readonly [Name in KindName]?: (typed: string, language: string) => ReturnType<TypedWords['valueIn']>;
} = { time: timeIn, timeZone: timeZoneIn, color: colorIn };

/** Returns the named values of a kind; empty: the kind has none. */
export function namedValues(kind: KindName, language: string): readonly NamedValue[] {
  return NAMED[kind]?.(language) ?? [];
}

const NAMED: { readonly [Name in KindName]?: (language: string) => readonly NamedValue[] } = { color: namedColors };

type Word = 'none' | 'on' | 'off';

/** The words of each language for a switch, and for no value. Displayed ones come first. */
const WORDS: Readonly<Record<Language, Readonly<Record<Word, string>>>> = {
  'en-US': {
    on: 'on|yes|true|enabled|enable|active|1|y|t',
    off: 'off|no|false|disabled|disable|inactive|0|n|f',
    none: 'none',
  },
  ru: {
    on: 'вкл|да|включено|включить|включен|включена|включён|истина',
    off: 'выкл|нет|выключено|выключить|выключен|выключена|отключено|отключить|ложь',
    none: 'нет',
  },
  'es-ES': {
    on: 'activado|sí|activada|activar|encendido|encender|habilitado|habilitar|verdadero',
    off: 'desactivado|no|desactivada|desactivar|apagado|apagar|deshabilitado|deshabilitar|falso',
    none: 'ninguno|ninguna',
  },
  hi: {
    on: 'चालू|हाँ|जी हाँ|सक्षम|सक्रिय|ऑन|सही',
    off: 'बंद|नहीं|नही|जी नहीं|अक्षम|निष्क्रिय|ऑफ़|गलत|बन्द',
    none: 'कोई नहीं|खाली',
  },
  ja: {
    on: 'オン|はい|有効|真',
    off: 'オフ|いいえ|無効|偽',
    none: 'なし|無し',
  },
};

const READ = new Map<string, ReadonlyMap<string, Word>>();

/** Returns the meaning of a word. `нет` means off for a switch, and no value elsewhere. */
function wordOf(typed: string, isSwitch: boolean, language: string): Word | undefined {
  const key = `${language} ${isSwitch}`;
  let words = READ.get(key);
  if (words === undefined) {
    const order: readonly Word[] = isSwitch ? ['off', 'on', 'none'] : ['none', 'off', 'on'];
    const entries = inLanguage(WORDS, language).flatMap((known) =>
      order.flatMap((word) => known[word].split('|').map((text) => [folded(text), word] as const)),
    );
    words = new Map(entries.toReversed());
    READ.set(key, words);
  }
  return words.get(folded(typed.trim()));
}

const MENTIONS: Readonly<Record<Exclude<Mentioned, 'emoji'>, RegExp>> = {
  channel: /^(?:<#(\d{17,20})>|(\d{17,20}))$/,
  role: /^(?:<@&(\d{17,20})>|(\d{17,20}))$/,
  user: /^(?:<@!?(\d{17,20})>|(\d{17,20}))$/,
};

function idIn(typed: string, mentioned: Mentioned): string | undefined {
  if (mentioned === 'emoji') return emojiOf(typed.trim());
  return MENTIONS[mentioned].exec(typed.trim())?.slice(1).find(Boolean);
}

/**
 * Returns the names of a choice: its label in the reader's language, and those in other languages that are not
 * ambiguous.
 */
function namesOf({ declared, place }: Setting, choice: string, language: string): readonly string[] {
  const choices: Readonly<Record<string, Texts>> = declared.kind === 'choice' ? declared.choices : {};
  const label = Object.hasOwn(choices, choice) ? textIn(choices[choice], language) : undefined;
  if (label === undefined) return place === 'record' && declared.open === undefined ? languageNames(choice) : [];
  const own = Object.values(choices).map((labels) => folded(textIn(labels, language) ?? ''));
  const { 'en-US': english = [], ...labels } = choices[choice] ?? {};
  // An open list may have names that are not choices, such as a word of another language.
  const others = [english, declared.open === undefined ? Object.values(labels) : []].flat(2);
  return [label, ...others.filter((one) => !own.includes(folded(one)))];
}

/** Names of languages besides those of `Intl`. */
const MORE_NAMES: Readonly<Record<string, readonly string[]>> = {
  'es-ES': ['Castilian', 'castellano', 'кастильский', 'カスティーリャ語', 'कैस्टिलियन'],
  ru: ['русский язык'],
};

const LANGUAGE_NAMES = new Map<string, readonly string[]>();

/**
 * Returns the tags of a language of the service in the forms that people type, and its names in each language of the
 * service.
 */
function languageNames(tag: string): readonly string[] {
  if (!LANGUAGES.some((known) => known === tag)) return [];
  let names = LANGUAGE_NAMES.get(tag);
  if (names === undefined) {
    const { language: bare, region } = new Intl.Locale(tag).maximize();
    const tags = [bare, `${bare}-${region}`, `${bare}_${region}`];
    const spoken = LANGUAGES.flatMap((reader) => [
      languageName(tag, reader),
      ...(['dialect', 'standard'] as const).flatMap((languageDisplay) => {
        const styles = ['long', 'short'] as const;
        return styles.flatMap((style) => {
          const display = new Intl.DisplayNames(reader, { type: 'language', languageDisplay, style });
          return [bare, `${bare}-${region}`].map((one) => display.of(one) ?? one);
        });
      }),
    ]);
    names = [...new Set([...tags, ...spoken, ...(MORE_NAMES[tag] ?? [])])];
    LANGUAGE_NAMES.set(tag, names);
  }
  return names;
}
