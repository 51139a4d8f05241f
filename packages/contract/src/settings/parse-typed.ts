import { Ambiguous, type TypedWords } from './kinds/kind.ts';
import { distinct, type Setting } from './setting.ts';
import type { Item, SettingValue } from './setting-declaration.ts';

type Meant = Item | Ambiguous | undefined;

/**
 * Parses typed text as a value, which may have flaws; undefined: not a value. Items of a list are separated by commas
 * or spaces; numbers, which may contain both, also by semicolons.
 */
export function parseTyped(setting: Setting, typed: string, words: TypedWords): SettingValue | Ambiguous | undefined {
  const { kind, many, declared } = setting;
  const parse = (text: string): Meant => kind.parse(text, declared as never, words);
  if (many === undefined) return parse(typed) as SettingValue | Ambiguous | undefined;
  if (words.wordOf(typed) === 'none') return [];
  const items = NUMERIC.includes(declared.kind) ? numbersIn(setting, typed, parse) : itemsIn(setting, typed, parse);
  if (items.length === 0 || items.includes(undefined)) return undefined;
  return items.find((item) => item instanceof Ambiguous) ?? (distinct(items as Item[], kind) as SettingValue);
}

/** The kinds whose items may contain commas. */
const NUMERIC: readonly string[] = ['integer', 'number', 'duration'];

function itemsIn(
  { declared, kind: { hasSpaces = false } }: Setting,
  typed: string,
  parse: (text: string) => Meant,
): readonly Meant[] {
  const isWhole = (part: string) => {
    if (declared.kind === 'text') return true;
    if (declared.kind !== 'choice') return hasSpaces && parse(part) !== undefined;
    // Any text is an item of an open list.
    return Object.hasOwn(declared.choices, String(parse(part)));
  };
  return partsOf(typed, /[,、，\n]+/).flatMap((part) => (isWhole(part) ? [part] : partsOf(part, /\s+/)).map(parse));
}

function partsOf(typed: string, separator: RegExp): readonly string[] {
  return typed
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns the numbers or durations of a list. `1,500` may be one number or two. */
function numbersIn({ declared }: Setting, typed: string, parse: (text: string) => Meant): readonly Meant[] {
  const parts = partsOf(typed, /[;；、\n]+|[,，](?!\d)/);
  const textsIn = (part: string) => {
    const hasUnits = declared.kind === 'duration' && /\p{L}/u.test(part);
    const bySpaces = hasUnits ? [part] : partsOf(part, /\s+/);
    // A comma is part of a number if the items have another separator: `1,5 2,5` and `1,5; 2,5`.
    if (parts.length > 1 || bySpaces.length > 1) return bySpaces;
    const byCommas = partsOf(part, /[,，]+/);
    // `1,5h` does not mean 1 and 5h.
    return hasUnits && !byCommas.every((one) => /\p{L}/u.test(one)) ? [part] : byCommas;
  };
  return parts.flatMap((part): readonly Meant[] => {
    const whole = parse(part);
    const texts = textsIn(part);
    // `000` is the remainder of a number.
    const apart = texts.map((one) => (/^0\d/.test(one) ? undefined : parse(one)));
    if (whole === undefined) {
      const grouped = part.replaceAll(/(?<!\d)([1-9]\d{0,2})\s(?=\d{3}(?!\d))/g, '$1');
      if (grouped === part || apart.includes(undefined)) return apart;
      return [new Ambiguous([partsOf(grouped, /\s+/).join(', '), texts.join(', ')])];
    }
    if (apart.length === 1 || parts.length > 1 || apart.includes(undefined)) return [whole];
    const meanings = whole instanceof Ambiguous ? whole.meanings : [String(whole)];
    return [new Ambiguous([...meanings, texts.join(', ')])];
  });
}
