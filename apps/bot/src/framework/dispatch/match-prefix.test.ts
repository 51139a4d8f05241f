import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchPrefix } from './match-prefix.ts';

const restOf = (content: string, prefix: string) => {
  const length = matchPrefix(content, prefix);
  return length === undefined ? undefined : content.slice(length);
};

test.each([
  ['another case', 'Hey ', ['hey help', 'HEY help', 'Hey\u00a0help', 'Hey\u3000help']],
  ['another width', '!', ['！help', '!help']],
  ['full width, typed in half width', '？', ['?help']],
  ['another Unicode form', 'é', ['e\u0301help', 'E\u0301help']],
  ['emoji with and without a variation selector', '❤', ['❤️help', '❤help', '❤︎help']],
  ['emoji whose selector was stored', '❤️', ['❤️help', '❤help']],
  ['two hyphens as phones write them', '--', ['--help', '—help', '–-help', '‑‑help']],
  ['a dash, typed as hyphens', '—', ['--help', '―help']],
  ['one hyphen', '-', ['-help', '–help', '−help']],
  ['three dots as phones write them', '...', ['...help', '…help']],
  ['an ellipsis, typed as dots', '…', ['...help']],
  ['letters whose case has another length', 'Straße ', ['STRASSE help', 'straße help']],
  ['a sigma', 'ΟΣ', ['οςhelp', 'οσhelp']],
  ['half-width katakana', 'ガ', ['ｶﾞhelp']],
])('a prefix matches in %s', (_, prefix, contents) => {
  expect(contents.map((content) => restOf(content, prefix))).toEqual(contents.map(() => 'help'));
});

test.each([
  ['the half of a dash', '-', '—help'],
  ['the first dot of an ellipsis', '.', '…help'],
  ['the first of two full stops of width', '!', '‼help'],
  ['a letter before an accent', 'e', 'éhelp'],
  ['a text that is shorter than the prefix', 'hey ', 'hey'],
  ['a message that is empty', '!', ''],
])('a prefix does not match %s', (_, prefix, content) => {
  expect(matchPrefix(content, prefix)).toBeUndefined();
});

test('a prefix that is the beginning of another one takes no more than itself', () => {
  expect(restOf('!!help', '!')).toBe('!help');
  expect(restOf('--help', '-')).toBe('-help');
  expect(restOf('!!help', '!!')).toBe('help');
});

describe('for any text', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 });
  const anyText = fc.oneof(text, fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }));

  test('a prefix matches at the start of a message that has it letter by letter', () => {
    fc.assert(
      fc.property(anyText, anyText, (prefix, rest) => {
        expect(matchPrefix(prefix + rest, prefix)).toBeGreaterThan(0);
      }),
    );
  });

  test('a prefix matches in each of its forms, and leaves the rest as it was typed', () => {
    const forms: ((prefix: string) => string)[] = [
      (prefix) => prefix.toUpperCase(),
      (prefix) => prefix.normalize('NFD'),
      (prefix) => prefix.normalize('NFC'),
      (prefix) => prefix.replaceAll('\ufe0f', ''),
      (prefix) => prefix.replaceAll('--', '—'),
    ];
    fc.assert(
      fc.property(text, fc.constantFrom(...forms), (prefix, form) => {
        // A mark at its start would be one character with what stands before it, which is nothing here.
        const typed = form(prefix);
        fc.pre(!/^\p{M}/u.test(typed) && typed !== '');
        expect(restOf(`${typed}help`, prefix)).toBe('help');
      }),
    );
  });

  test('what matches is as long as a prefix can be, however long the message is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 4_000 }), anyText, (content, prefix) => {
        const length = matchPrefix(content, prefix);
        if (length !== undefined) expect(length).toBeLessThanOrEqual(Math.max(256, prefix.length));
      }),
    );
  });
});
