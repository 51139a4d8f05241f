import { kind } from './kind.ts';
import { rangeBytes, rangeFlaws, rangeLimits } from './range.ts';

/** A whole number. */
export const INTEGER = kind<'integer'>({
  type: 'integer',
  control: 'number',
  empty: undefined,
  flaws: rangeFlaws,
  parse(typed, { unit = '' }) {
    const digits = typed.endsWith(unit) ? typed.slice(0, typed.length - unit.length).trim() : typed.trim();
    return /^[+-]?\d{1,15}$/.test(digits) ? Number(digits) : undefined;
  },
  keywords: rangeLimits,
  maxBytes: rangeBytes,
});
