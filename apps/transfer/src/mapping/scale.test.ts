import { expect, test } from 'vitest';
import { ConversionError } from './conversion-error.ts';
import { parseScale, scaled } from './scale.ts';

function scale(value: unknown, text: string): unknown {
  return scaled(value, parseScale(`field=${text}`) ?? expect.fail(`${text} is no scale`));
}

test.each<[unknown, string, unknown]>([
  [90_000, '/1000', 90],
  ['90500', '/1000', 90.5],
  [1.5, '100', 150],
  ['1.10', '*100', 110],
  [0.1, '*3', 0.3],
  [0.07, '*100', 7],
  [1.005, '*1000', 1_005],
  [3, '/0.5', 6],
  ['-2', '/8', -0.25],
  [1e-7, '*10000000', 1],
  [0, '/1000', 0],
])('%j is with all its digits, after %s, %j', (value, by, expected) => {
  expect(scale(value, by)).toBe(expected);
});

test.each([['10m'], [''], [true], [null], ['1,500'], ['Infinity'], [{ ms: 5 }]])(
  '%j is no number, and stays',
  (value) => {
    expect(scale(value, '/1000')).toBe(value);
  },
);

test.each<[unknown, string]>([
  [1, '/3'],
  ['9007199254740993', '*1'],
  ['0.10000000000000000001', '*10'],
])('%j has no exact decimal after %s, and is refused', (value, by) => {
  expect(() => scale(value, by)).toThrow(ConversionError);
});

test.each(['xp', 'xp=', 'xp=/0', 'xp=*0.0', 'xp=-5', 'xp=+5', 'xp=x100', 'xp=/', '=5', 'xp=1e3', 'xp=//5'])(
  '%j is no arithmetic',
  (text) => {
    expect(parseScale(text)).toBeUndefined();
  },
);
