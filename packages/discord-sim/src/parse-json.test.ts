import { expect, test } from 'vitest';
import { parseJson } from './json.ts';

test.each([
  [
    '{"id":1234567890123456789,"ids":[1234567890123456788]}',
    { id: '1234567890123456789', ids: ['1234567890123456788'] },
  ],
  ['[-12345678901234567]', ['-12345678901234567']],
  ['{"since":1763800000000,"seq":12}', { since: 1_763_800_000_000, seq: 12 }],
  ['[9007199254740991,-9007199254740991,9007199254740993]', [2 ** 53 - 1, 1 - 2 ** 53, '9007199254740993']],
  ['"1234567890123456789 \\" 1234567890123456789"', '1234567890123456789 " 1234567890123456789'],
])('parses %s', (text, value) => {
  expect(parseJson(text)).toStrictEqual(value);
});

test('leaves other numbers alone', () => {
  const text = '[0.12345678901234567, 12345678901234567.5, 1e-12345678901234567, 1234567890123456e3]';
  expect(parseJson(text)).toStrictEqual(JSON.parse(text));
});

test.each(['{"id":1234567890123456789', '1234567890123456789 1', '{"a:1}'])('refuses %s', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});
