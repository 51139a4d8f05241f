import { Ambiguous, LANGUAGES, plainDigits, type Setting, type TypedWords } from '@guild-settings/contract';
import { typedWords } from '@guild-settings/i18n';

const KNOWN = new WeakMap<Setting, TypedWords>();

/** Returns the words of all languages for the values of a setting. The numbers of a file are data: their decimal separator is a point. */
export function importWords(setting: Setting): TypedWords {
  const known = KNOWN.get(setting);
  if (known !== undefined) return known;
  const all = LANGUAGES.map((language) => typedWords(setting, { language }));
  // A name of a zone or of a color is one in any language.
  const [{ timeZoneIn, colorIn }] = all as [TypedWords];
  const names = new Map<string, readonly string[]>();
  const words: TypedWords = {
    wordOf: (typed) => first(all, (one) => one.wordOf(typed)),
    idOf: (typed, mentioned) => agreed(all, (one) => one.idOf(typed, mentioned)),
    namesOf(choice) {
      const found = names.get(choice) ?? [...all.flatMap((one) => one.namesOf(choice)), choice.replaceAll('-', '_')];
      names.set(choice, found);
      return found;
    },
    numberIn,
    secondsIn: (typed) => numberIn(typed, 0) ?? agreed(all, (one) => one.secondsIn(typed)),
    timeIn: (typed) => first(all, (one) => one.timeIn(typed)),
    timeZoneIn,
    colorIn,
  };
  KNOWN.set(setting, words);
  return words;
}

/** Returns a number of digits and a point. `5.0` is an integer: spreadsheets write it. */
function numberIn(typed: string, decimals: number): number | undefined {
  const text = plainDigits(typed);
  const number = /^[+-]?\d{1,16}(?:\.\d{1,16})?$/.test(text) ? Number(text) : Number.NaN;
  const isTaken = decimals === 0 ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isTaken ? number : undefined;
}

function first<Read>(all: readonly TypedWords[], read: (words: TypedWords) => Read | undefined): Read | undefined {
  for (const words of all) {
    const found = read(words);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns what a text means in those languages in which it has a meaning. */
function agreed<Read>(
  all: readonly TypedWords[],
  read: (words: TypedWords) => Read | Ambiguous | undefined,
): Read | Ambiguous | undefined {
  const found = all.map(read).filter((one) => one !== undefined);
  const clear = new Set(found.filter((one) => !(one instanceof Ambiguous)));
  if (clear.size === 1 && clear.size === new Set(found).size) return found[0];
  const meanings = found.flatMap((one) => (one instanceof Ambiguous ? one.meanings : [String(one)]));
  return found.length === 0 ? undefined : new Ambiguous([...new Set(meanings)]);
}
