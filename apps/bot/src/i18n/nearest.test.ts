import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const NAMES = ['language', 'prefix', 'features', 'channel', 'beta', 'Reminders', 'on', 'канал', '言語'];

test.each([
  ['languge', 'language'],
  ['Langauge', 'language'],
  ['remindres', 'Reminders'],
  ['prefxi', 'prefix'],
  ['bta', 'beta'],
  ['канл', 'канал'],
  ['chanel ', 'channel'],
])('%s is taken for %s', (typed, expected) => {
  expect(nearest(typed, NAMES)).toBe(expected);
});

test.each(['', 'xx', 'an', '言葉', 'lag', 'colour', 'reminding people', 'x'.repeat(2_000)])(
  '%s is not taken for any',
  (typed) => {
    expect(nearest(typed, NAMES)).toBeUndefined();
  },
);

test('the text with the fewest mistakes is meant', () => {
  expect(nearest('remainders', ['reminder', 'reminders', 'remainder'])).toBe('reminders');
  expect(nearest('sett', ['set', 'settle'])).toBe('set');
});
