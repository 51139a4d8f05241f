import { LANGUAGES } from '@guild-settings/contract/constants';
import {
  type Ambiguous,
  folded,
  isTimeZone,
  type Mentioned,
  plainDigits,
  type Setting,
  type Texts,
  type TypedWords,
  textIn,
} from '@guild-settings/contract/settings';
import { languageName } from './words.ts';

interface TypedWordsOptions {
  readonly language: string;
  /** Returns what people type for a word in a language. */
  readonly wordFor?: (language: string, word: 'none' | 'on' | 'off') => string;
  /** Returns the thing of a guild that a text mentions; undefined: none. */
  readonly idOf?: TypedWords['idOf'];
}

/** Returns what people type for the values of a setting in a language, or in English. */
export function typedWords({ declared }: Setting, { language, wordFor, idOf }: TypedWordsOptions): TypedWords {
  const choices: Readonly<Record<string, Texts>> = declared.kind === 'choice' ? declared.choices : {};
  return {
    wordOf(typed) {
      const word = folded(typed.trim());
      const isTyped = (known: 'none' | 'on' | 'off') =>
        known === word || (wordFor !== undefined && folded(wordFor(language, known)) === word);
      if (word === 'true' || word === 'false') return word === 'true' ? 'on' : 'off';
      return (['none', 'on', 'off'] as const).find(isTyped);
    },
    idOf: (typed, mentioned) => idOf?.(typed, mentioned) ?? idIn(typed, mentioned),
    namesOf(choice) {
      const label = textIn(choices[choice], language);
      return label === undefined ? namesOfLanguage(choice, language) : [label];
    },
    numberIn,
    secondsIn,
    timeIn: (typed) => (/^([01]\d|2[0-3]):[0-5]\d$/.test(plainDigits(typed)) ? plainDigits(typed) : undefined),
    timeZoneIn: (typed) => (isTimeZone(typed.trim()) ? typed.trim() : undefined),
    colorIn: () => undefined,
  };
}

const MENTIONS: Readonly<Record<Mentioned, RegExp>> = {
  channel: /^(?:<#(\d{17,20})>|(\d{17,20}))$/,
  role: /^(?:<@&(\d{17,20})>|(\d{17,20}))$/,
  user: /^(?:<@!?(\d{17,20})>|(\d{17,20}))$/,
  emoji: /^(.+)$/u,
};

function idIn(typed: string, mentioned: Mentioned): string | undefined {
  return MENTIONS[mentioned].exec(typed.trim())?.slice(1).find(Boolean);
}

function namesOfLanguage(tag: string, language: string): string[] {
  if (!LANGUAGES.some((known) => known === tag)) return [];
  const [bare = tag] = tag.split('-');
  const own = new Intl.DisplayNames(tag, { type: 'language' });
  return [bare, languageName(tag, language), own.of(tag) ?? tag, own.of(bare) ?? tag];
}

function numberIn(typed: string, decimals: number): number | Ambiguous | undefined {
  const text = plainDigits(typed);
  const isNumber = decimals === 0 ? /^[+-]?\d{1,16}$/.test(text) : /^[+-]?\d{1,16}(?:\.\d{1,16})?$/.test(text);
  const number = Number(text);
  // A number that is not exact would be another one than what was typed.
  return isNumber && (decimals > 0 || Number.isSafeInteger(number)) ? number : undefined;
}

const SECONDS: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };

/** Parses `90`, `10m` or `1h 30m` to seconds; undefined: it is no duration. */
function secondsIn(typed: string): number | Ambiguous | undefined {
  const text = plainDigits(typed).toLowerCase();
  if (/^\d{1,15}$/.test(text)) return Number(text);
  if (!/^(?:\d{1,9}\s*[wdhms]\s*)+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)\s*([wdhms])/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (SECONDS[unit ?? ''] ?? 0), 0);
}
