import type { Flaw } from '../flaw.ts';
import type { Item } from '../setting-declaration.ts';
import { type Keywords, kind, plainDigits } from './kind.ts';

interface Range {
  readonly min: number;
  readonly max: number;
}

function rangeFlaws(item: Item, { min, max }: Range): readonly Flaw[] {
  if (Number(item) < min) return [{ key: 'tooSmall', count: min }];
  return Number(item) > max ? [{ key: 'tooLarge', count: max }] : [];
}

/** Returns the limits of a number for a request schema. */
function rangeLimits({ min, max }: Range): Keywords {
  return { minimum: min, maximum: max };
}

/** Returns the bytes of the longest number of a range. */
function rangeBytes({ min, max }: Range): number {
  return Math.max(String(min).length, String(max).length);
}

/** Returns the number in a range that is nearest to zero. */
function nearestToZero({ min, max }: Range): number {
  return Math.min(Math.max(0, min), max);
}

/** Alternative forms of unit signs on keyboards and in languages. */
const SIGNS: Readonly<Record<string, string>> = { '٪': '%', '×': 'x', х: 'x', '✕': 'x', º: '°', '˚': '°' };

/** Returns a unit in the form for comparison. Its length is that of the text. */
function unitText(text: string): string {
  return [...text].map((one) => SIGNS[one] ?? one.toLowerCase()).join('');
}

/** Returns typed text without the unit of a number, which may be after or before it: `5 %`, `5٪`, `$5`, `x1.5`. */
function withoutUnit(typed: string, unit = ''): string {
  const [text, wanted] = [plainDigits(typed), unitText(plainDigits(unit))];
  const shown = unitText(text);
  if (wanted === '' || shown.length !== text.length) return text;
  if (shown.endsWith(wanted)) return text.slice(0, text.length - wanted.length).trim();
  const [, sign = ''] = /^([+-]?)/.exec(text) ?? [];
  const isBefore = shown.startsWith(wanted, sign.length);
  return isBefore ? `${sign}${text.slice(sign.length + wanted.length).trim()}` : text;
}

export const INTEGER = kind<'integer'>({
  type: 'integer',
  control: 'number',
  empty: undefined,
  initial: nearestToZero,
  flaws: rangeFlaws,
  parse: (typed, { unit }, words) => words.numberIn(withoutUnit(typed, unit), 0),
  keywords: rangeLimits,
  maxBytes: rangeBytes,
});

/** Returns true if a number has at most the given number of decimal places. */
function hasDecimals(value: number, decimals: number): boolean {
  // A double is printed as the shortest decimal number that rounds to it.
  return Number(value.toFixed(decimals)) === value;
}

/** A decimal number. It is never rounded: numbers with more digits are refused. */
export const NUMBER = kind<'number'>({
  type: 'number',
  control: 'number',
  empty: undefined,
  initial: nearestToZero,
  flaws(item, options) {
    const { decimals } = options;
    const isExact = hasDecimals(Number(item), decimals);
    return [...rangeFlaws(item, options), ...(isExact ? [] : [{ key: 'decimals', count: decimals } as const])];
  },
  // Converts minus zero to zero.
  stored: (item) => Number(item) + 0,
  parse: (typed, { unit, decimals }, words) => words.numberIn(withoutUnit(typed, unit), decimals),
  keywords: (options) => ({
    ...rangeLimits(options),
    description: `At most ${options.decimals} decimal places.`,
  }),
  maxBytes: ({ decimals, ...range }) =>
    1 + decimals + Math.max(...[range.min, range.max].map((limit) => String(Math.trunc(limit)).length + 1)),
});

export const DURATION = kind<'duration'>({
  type: 'integer',
  control: 'duration',
  empty: undefined,
  initial: nearestToZero,
  flaws: rangeFlaws,
  parse: (typed, _options, words) => words.secondsIn(typed),
  example: '1h 30m',
  keywords: (options) => ({ ...rangeLimits(options), description: 'In seconds.' }),
  maxBytes: rangeBytes,
});
