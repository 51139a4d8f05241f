import { expect, test } from 'vitest';
import { joinWords, splitWords } from './words.ts';

const values = (text: string) => splitWords(text).map(({ value }) => value);

test.each([
  ['plain words', 'settings  set prefix ?', ['settings', 'set', 'prefix', '?']],
  ['words on several lines', 'remind add\n10m\r\nbuy\tmilk', ['remind', 'add', '10m', 'buy', 'milk']],
  ['full-width spaces', 'リマインダー　追加　10分後', ['リマインダー', '追加', '10分後']],
  ['straight quotes', 'a "b c" d', ['a', 'b c', 'd']],
  ['curly quotes', 'a “b c” d', ['a', 'b c', 'd']],
  ['German quotes', 'a „b c“ d', ['a', 'b c', 'd']],
  ['guillemets', 'a «b c» d', ['a', 'b c', 'd']],
  ['corner brackets', 'あ 「い う」 『え お』', ['あ', 'い う', 'え お']],
  ['quoted line breaks', 'a "b\nc"', ['a', 'b\nc']],
  ['empty quotes', 'a ""', ['a', '']],
  ['an unclosed quote', 'a "b c', ['a', '"b', 'c']],
  ['an unopened quote', 'a b” c', ['a', 'b”', 'c']],
  ['apostrophes', "don't 'a b'", ["don't", "'a", "b'"]],
  ['nothing', ' \n\t ', []],
])('%s are separate', (_, text, expected) => {
  expect(values(text)).toEqual(expected);
});

test('words are written as they were, with their quotes, spaces and line breaks', () => {
  const text = 'announce Hello “all”,\n\n  see "this  one" \u3000now';
  expect(joinWords(splitWords(text).slice(1))).toBe('Hello “all”,\n\n  see "this  one" \u3000now');
});

test('a lone quotation is written without its marks', () => {
  expect(joinWords(splitWords('"a  b"'))).toBe('a  b');
  expect(joinWords([])).toBe('');
});

test('long messages are split quickly, whatever is in them', () => {
  const texts = ['"', '“', '「', '" ', '"a', ' ', '\n', 'a '].map((piece) => piece.repeat(4_000).slice(0, 4_000));
  const began = process.cpuUsage();
  for (const text of texts) expect(joinWords(splitWords(text)).length).toBeLessThanOrEqual(4_000);
  expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
});
