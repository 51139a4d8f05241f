import { kind } from './kind.ts';
import { plainDigits } from './plain-digits.ts';
import { rangeBytes, rangeFlaws, rangeLimits } from './range.ts';

/** A whole number. */
export const INTEGER = kind<'integer'>({
  type: 'integer',
  control: 'number',
  empty: undefined,
  flaws: rangeFlaws,
  parse(typed, { unit = '' }) {
    const [text, ending] = [plainDigits(typed), plainDigits(unit)];
    const digits = text.endsWith(ending) ? text.slice(0, text.length - ending.length).trim() : text;
    const number = /^[+-]?\d{1,16}$/.test(digits) ? Number(digits) : undefined;
    // A number that is not exact would be another one than what was typed.
    return Number.isSafeInteger(number) ? number : undefined;
  },
  keywords: rangeLimits,
  maxBytes: rangeBytes,
});
