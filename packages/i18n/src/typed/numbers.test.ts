import { LANGUAGES } from '@guild-settings/contract/constants';
import { Ambiguous } from '@guild-settings/contract/settings';
import { describe, expect, test } from 'vitest';
import { numberIn } from './numbers.ts';

/** Returns how a text is parsed in each of the languages: a number, its meanings, or undefined. */
function inEach(typed: string, decimals: number): unknown[] {
  return LANGUAGES.map((language) => {
    const read = numberIn(typed, decimals, language);
    return read instanceof Ambiguous ? read.meanings.join(' | ') : read;
  });
}

const all = (value: unknown) => LANGUAGES.map(() => value);

// The order of the languages: en-US, hi, ru, ja, es-ES.
describe('a number with decimals is read as the language writes it, or English', () => {
  test.each<[string, unknown[]]>([
    ['1500.5', all(1500.5)],
    ['1500,5', [undefined, undefined, 1500.5, undefined, 1500.5]],
    ['1,500', ['1500 | 1.5', '1500 | 1.5', 1.5, '1500 | 1.5', 1.5]],
    ['1.500', [1.5, 1.5, 1.5, 1.5, '1500 | 1,5']],
    ['-1,500', ['-1500 | -1.5', '-1500 | -1.5', -1.5, '-1500 | -1.5', -1.5]],
    ['0,500', [undefined, undefined, 0.5, undefined, 0.5]],
    ['1,000,000', all(1_000_000)],
    ['1.000.000', [undefined, undefined, undefined, undefined, 1_000_000]],
    ['1,234.5', all(1_234.5)],
    ['1.234,5', [undefined, undefined, undefined, undefined, 1_234.5]],
    ['1 234,5', [undefined, undefined, 1_234.5, undefined, 1_234.5]],
    ['1\u00a0234\u202f567', all(1_234_567)],
    ['12,34,567', [undefined, 1_234_567, undefined, undefined, undefined]],
    ['1,50,0', all(undefined)],
    ['.5', all(0.5)],
    ['5.', all(5)],
    ['1２.5', all(12.5)],
    ['१२.५', all(12.5)],
    ['١٢٫٥', all(12.5)],
    ['+1.5', all(1.5)],
    ['−1.5', all(-1.5)],
    ['－1.5', all(-1.5)],
    ['–1.5', all(-1.5)],
    ['-0', all(0)],
    ['5²', all(undefined)],
    ['1½', all(undefined)],
    ['1e5', all(undefined)],
    ['--5', all(undefined)],
    ['1.5.5', all(undefined)],
    ['five', all(undefined)],
    ['', all(undefined)],
  ])('%j', (typed, read) => expect(inEach(typed, 2)).toStrictEqual(read));
});

describe('a number without decimals has groups alone', () => {
  test.each<[string, unknown[]]>([
    ['1,500', all(1_500)],
    ['1 500', all(1_500)],
    ['1.500', [undefined, undefined, undefined, undefined, 1_500]],
    // A point is the decimal point, or groups digits in languages that write numbers otherwise.
    ['1.000', ['1000 | 1', '1000 | 1', '1000 | 1', '1000 | 1', 1_000]],
    ['5.0', all(5)],
    ['5,0', [undefined, undefined, 5, undefined, 5]],
    ['5.5', all(undefined)],
    ['007', all(7)],
  ])('%j', (typed, read) => expect(inEach(typed, 0)).toStrictEqual(read));
});

describe('thousands and more have letters and words', () => {
  test.each<[string, unknown[]]>([
    ['10k', all(10_000)],
    ['1.5K', all(1_500)],
    ['1,5 тыс.', [undefined, undefined, 1_500, undefined, 1_500]],
    ['10 mil', all(10_000)],
    ['1万', all(10_000)],
    ['１.５万', all(15_000)],
    ['2 हज़ार', all(2_000)],
    ['1 लाख', all(100_000)],
    ['1 million', all(1_000_000)],
    ['1M', all(1_000_000)],
    // A million, or one of a unit that begins with an m.
    ['1m', all('1000000 | 1')],
    ['1,500k', ['1500000 | 1500', '1500000 | 1500', 1_500, '1500000 | 1500', 1_500]],
    ['1.5q', all(undefined)],
    ['0.0001k', all(undefined)],
  ])('%j', (typed, read) => expect(inEach(typed, 0)).toStrictEqual(read));
});

test.each(['9007199254740993', '0.12345678901234567', '9007199254740992k', '9007199254.740991', '1'.repeat(400)])(
  '%s is none, because no number is exactly that',
  (typed) => expect([numberIn(typed, 6, 'en-US'), numberIn(typed, 0, 'en-US')]).toStrictEqual([undefined, undefined]),
);

test.each([
  ['0.1', 0.1],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['900719925.474099', 900_719_925.474099],
  ['0.000001', 0.000001],
])('%s is exact', (typed, number) => expect(numberIn(typed, 6, 'en-US')).toBe(number));
