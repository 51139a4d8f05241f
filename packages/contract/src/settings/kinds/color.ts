import type { Flaw } from '../flaw.ts';
import { Ambiguous, kind, plainDigits } from './kind.ts';

const HEX = /^#[0-9A-Fa-f]{6}$/;

const TYPED_HEX = /^(?:#|0x)?([0-9a-f]{6}|[0-9a-f]{3})$/i;

/** Returns a color by its number, as sent by Discord: `#5865F2` for 5793266; undefined: not a color. */
function colorOfNumber(number: number): string | undefined {
  if (!Number.isInteger(number) || number < 0 || number > 0xff_ff_ff) return undefined;
  return `#${number.toString(16).padStart(6, '0').toUpperCase()}`;
}

/**
 * Returns a color from a value accepted by discord.js: a number, also as a text, or red, green and blue. Digits that
 * are valid both as a decimal and a hexadecimal number are ambiguous.
 * @see https://discord.js.org/docs/packages/discord.js/main/ColorResolvable:TypeAlias
 */
function colorOfData(value: unknown): unknown {
  if (typeof value === 'number') return colorOfNumber(value);
  if (typeof value === 'string') {
    const digits = value.trim();
    const number = /^\d{1,8}$/.test(digits) ? colorOfNumber(Number(digits)) : undefined;
    if (number === undefined) return value;
    const isHex = digits.length === 3 || digits.length === 6;
    return isHex && Number(digits) !== 0 ? new Ambiguous([`#${digits}`, number]) : number;
  }
  const parts: readonly unknown[] = Array.isArray(value) ? value : partsOf(value);
  const isByte = (part: unknown): part is number => Number.isInteger(part) && Number(part) >= 0 && Number(part) <= 255;
  if (parts.length !== 3 || !parts.every(isByte)) return value;
  return colorOfNumber(parts.reduce((sum, part) => sum * 256 + part, 0));
}

function partsOf(value: unknown): readonly unknown[] {
  const { r, g, b, ...others } = Object(value) as Readonly<Record<string, unknown>>;
  return Object.keys(others).length === 0 ? [r, g, b] : [];
}

const NOT_COLOR: Flaw = { key: 'notColor', count: 0, expected: 'an RGB color as #RRGGBB, such as #5865F2' };

/** An RGB color as `#RRGGBB`. */
export const COLOR = kind<'color'>({
  type: 'string',
  control: 'color',
  empty: undefined,
  initial: () => '#000000',
  flaws: (item) => (HEX.test(String(item)) ? [] : [NOT_COLOR]),
  stored: (item) => String(item).toUpperCase(),
  parse(typed, _options, words) {
    const [, digits] = TYPED_HEX.exec(plainDigits(typed)) ?? [];
    if (digits === undefined) return words.valueIn('color', typed);
    const all = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits;
    return `#${all.toUpperCase()}`;
  },
  hasSpaces: true,
  example: '#5865F2',
  fromData: colorOfData,
  keywords: () => ({ pattern: '^#[0-9A-Fa-f]{6}$', description: 'An RGB color as #RRGGBB.' }),
  maxBytes: () => '"#RRGGBB"'.length,
});
