import { kind, plainDigits } from './kind.ts';

const HEX = /^#[0-9A-Fa-f]{6}$/;

const TYPED_HEX = /^(?:#|0x)?([0-9a-f]{6}|[0-9a-f]{3})$/i;

/** Returns a color by its number, as Discord sends it: `#5865F2` for 5793266; undefined: there is none. */
export function colorOfNumber(number: number): string | undefined {
  if (!Number.isInteger(number) || number < 0 || number > 0xff_ff_ff) return undefined;
  return `#${number.toString(16).padStart(6, '0').toUpperCase()}`;
}

/** An RGB color as `#RRGGBB`. */
export const COLOR = kind<'color'>({
  type: 'string',
  control: 'color',
  empty: undefined,
  initial: () => '#000000',
  flaws: (item) => (HEX.test(String(item)) ? [] : [{ key: 'notColor', count: 0 }]),
  stored: (item) => String(item).toUpperCase(),
  parse(typed, _options, words) {
    const [, digits] = TYPED_HEX.exec(plainDigits(typed)) ?? [];
    if (digits === undefined) return words.colorIn(typed);
    const all = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits;
    return `#${all.toUpperCase()}`;
  },
  keywords: () => ({ pattern: '^#[0-9A-Fa-f]{6}$', description: 'An RGB color as #RRGGBB.' }),
  maxBytes: () => '"#RRGGBB"'.length,
});
