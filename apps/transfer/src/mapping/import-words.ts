import { Ambiguous, LANGUAGES, plainDigits, type Setting, type TypedWords } from '@guild-settings/contract';
import { typedWords } from '@guild-settings/i18n';

const KNOWN = new WeakMap<Setting, TypedWords>();

/**
 * Returns the words of all languages for the values of a setting. The numbers of a file are data, with a decimal point.
 */
export function importWords(setting: Setting): TypedWords {
  let words = KNOWN.get(setting);
  if (words === undefined) {
    words = wordsOf(LANGUAGES.map((language) => typedWords(setting, { language })));
    KNOWN.set(setting, words);
  }
  return words;
}

function wordsOf(all: readonly TypedWords[]): TypedWords {
  const names = new Map<string, readonly string[]>();
  const read = Object.fromEntries(
    Object.keys(all[0] ?? {}).map((name) => [
      name,
      agreed(all.map((words) => words[name as keyof TypedWords] as Reader)),
    ]),
  ) as unknown as TypedWords;
  return {
    ...read,
    namesOf(choice) {
      const found = names.get(choice) ?? [...new Set(all.flatMap((words) => words.namesOf(choice)))];
      names.set(choice, found);
      return found;
    },
    numberIn,
    // A number alone is data: languages interpret `1.500` in two ways.
    secondsIn: (typed) => numberIn(typed, 0) ?? (/[\p{L}:：]/u.test(typed) ? read.secondsIn(typed) : undefined),
  };
}

/** Parses digits and a point. `5.0` is an integer, because spreadsheets write it. */
function numberIn(typed: string, decimals: number): number | undefined {
  const text = plainDigits(typed);
  const number = /^[+-]?\d{1,16}(?:\.\d{1,16})?$/.test(text) ? Number(text) : Number.NaN;
  const isTaken = decimals === 0 ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isTaken ? number : undefined;
}

type Reader = (...typed: readonly unknown[]) => unknown;

/** Returns a parser of the meaning of a text, if the languages that have one agree. */
function agreed(readers: readonly Reader[]): Reader {
  // Parsers that do not depend on the language occur once.
  const all = [...new Set(readers)];
  return (...typed) => {
    const found = new Set(all.map((read) => read(...typed)).filter((meaning) => meaning !== undefined));
    const [only] = found;
    if (found.size < 2) return only;
    const meanings = [...found].flatMap((one) => (one instanceof Ambiguous ? one.meanings : [String(one)]));
    return new Ambiguous([...new Set(meanings)]);
  };
}
