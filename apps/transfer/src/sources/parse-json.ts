import { parse } from 'lossless-json';

/** Digits that a double may not represent. Inside of a text they cost a slower parse, and nothing else. */
const LONG_NUMBER = /\d{16}/;

/**
 * Parses JSON. An integer that a double cannot represent becomes a text of its digits, because bots in other languages store
 * ids as integers. One that reads like a double stays a number: a bot in JavaScript may have rounded it.
 * @param revive replaces each value, as in `JSON.parse`
 * @throws SyntaxError
 */
export function parseJson(text: string, revive?: (key: string, value: unknown) => unknown): unknown {
  return LONG_NUMBER.test(text) ? parse(text, revive, parseNumber) : JSON.parse(text, revive);
}

/** Returns a number, or the digits of an integer that no double has. */
export function parseNumber(digits: string): number | string {
  const number = Number(digits);
  const isExact = !/^-?\d+$/.test(digits) || Number.isSafeInteger(number);
  return isExact || String(number) === digits ? number : digits;
}
