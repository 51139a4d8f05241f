import { parse } from 'lossless-json';

/** Digits that a double may not represent. In a text they only cause a slower parse. */
const LONG_NUMBER = /\d{16}/;

/**
 * Parses JSON. An integer beyond the precision of a double becomes a string of its digits, because bots in other
 * languages store ids as integers. A number that prints like a double stays a number: a JavaScript bot may have rounded
 * it.
 * @param revive replaces each value, as in `JSON.parse`
 * @throws SyntaxError
 */
export function parseJson(text: string, revive?: (key: string, value: unknown) => unknown): unknown {
  return LONG_NUMBER.test(text) ? parse(text, revive, parseNumber) : JSON.parse(text, revive);
}

/** Returns a number, or a string of digits for an integer beyond the precision of a double. */
export function parseNumber(digits: string): number | string {
  const number = Number(digits);
  const isExact = !/^-?\d+$/.test(digits) || Number.isSafeInteger(number);
  return isExact || String(number) === digits ? number : digits;
}
