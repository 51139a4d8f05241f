import { ConversionError } from './conversion-error.ts';

/** Arithmetic with the numbers of a setting or column: milliseconds in a file become seconds. */
export interface Scale {
  readonly operator: '*' | '/';
  /** A decimal number other than zero. */
  readonly by: string;
}

export interface FieldScale extends Scale {
  readonly field: string;
}

/** Parses `cooldown=/1000`, `xpRate=*100`, and the equivalent `xpRate=100`; undefined for another form. */
export function parseScale(text: string): FieldScale | undefined {
  const [, field = '', operator = '*', by = ''] =
    /^\s*([\w.]+)\s*=\s*([*/])?\s*(\d{1,20}(?:\.\d{1,20})?)\s*$/.exec(text) ?? [];
  if (field === '' || Number(by) === 0) return undefined;
  return { field, operator: operator === '/' ? '/' : '*', by };
}

/**
 * Multiplies or divides a number, or a numeric text, exactly. Other values are returned unchanged: a duration with a
 * unit, such as `10m`, is already in seconds.
 * @throws ConversionError for a result without an exact decimal form
 */
export function scaled(value: unknown, { operator, by }: Scale): unknown {
  const number = decimalOf(value);
  const other = decimalOf(by);
  if (number === undefined || other === undefined) return value;
  const result = operator === '*' ? product(number, other) : quotient(number, other);
  const double = result === undefined ? Number.NaN : Number(`${result.digits}e${-result.places}`);
  const shown = decimalOf(double);
  if (result !== undefined && shown !== undefined && isSame(shown, result)) return double;
  throw new ConversionError(`an exact number after ${operator} ${by}`, value);
}

/** A decimal number: its digits as an integer, and the number of decimal places. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** Maximum digits of a number: more than any in a file. */
const MAX_DIGITS = 60;

const DECIMAL = /^\s*([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?\s*$/i;

function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [match, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(String(value)) ?? [];
  const places = fraction.length - Number(exponent);
  if (match === undefined || whole.length + fraction.length > MAX_DIGITS || Math.abs(places) > MAX_DIGITS)
    return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  return { digits: sign === '-' ? -digits : digits, places };
}

function product(one: Decimal, other: Decimal): Decimal {
  return { digits: one.digits * other.digits, places: one.places + other.places };
}

/** Returns a quotient; undefined: it has infinitely many digits. */
function quotient(one: Decimal, other: Decimal): Decimal | undefined {
  const digits = one.digits * 10n ** BigInt(MAX_DIGITS);
  return digits % other.digits === 0n
    ? { digits: digits / other.digits, places: one.places - other.places + MAX_DIGITS }
    : undefined;
}

function isSame(one: Decimal, other: Decimal): boolean {
  const places = Math.max(one.places, other.places);
  const [a, b] = [one, other].map((decimal) => decimal.digits * 10n ** BigInt(places - decimal.places));
  return a === b;
}
