import { expect, test } from 'vitest';
import { code, nearest } from './text.ts';

test.each([
  ['!', '`!`'],
  ['`', '`` ` ``'],
  ['`a', '`` `a``'],
  ['a`', '``a` ``'],
  ['a`b', '``a`b``'],
  ['``', '`ˋˋ`'],
  ['```js', '`ˋˋˋjs`'],
  ['a\u202eb', '`aU+202Eb`'],
])('the text %s is shown as it is in code, where Discord can', (text, expected) => {
  expect(code(text)).toBe(expected);
});

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
