import type { Language } from '@guild-settings/contract';
import { translatorOf } from '@guild-settings/testing/bot';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add } from '../../../../../apps/bot/src/commands/remind/add.ts';
import { set } from '../../commands/set.ts';
import type { CommandPath } from '../../i18n/translator.ts';
import { joinWords, matchPrefix, readMessageOptions, splitWords } from './message-text.ts';

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
  ['single quotes', "a 'b c' d", ['a', 'b c', 'd']],
  ['single quotes of a phone', 'a ‘b c’ ‚d e‘', ['a', 'b c', 'd e']],
  ['quotes of Poland, Denmark and Finland', '„a b” »c d« ”e f”', ['a b', 'c d', 'e f']],
  ['quotes before a comma', "'a b', 'c'", ['a b', ',', 'c']],
  ['a phrase with apostrophes', "'a don't b' ‘it’s c’", ["a don't b", 'it’s c']],
  ['apostrophes', "don't it’s dogs' day '90s o'clock", ["don't", 'it’s', "dogs'", 'day', "'90s", "o'clock"]],
  ['an unclosed single quote', "a 'b don't c", ['a', "'b", "don't", 'c']],
  ['quotes within a word', `a"b c" d'e f'`, ['a"b', 'c"', "d'e", "f'"]],
  ['empty single quotes', "a ''", ['a', '']],
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
  const texts = ['"', '“', '「', '" ', '"a', "'a ", '‘a', "'", ' ', '\n', 'a '].map((piece) =>
    piece.repeat(4_000).slice(0, 4_000),
  );
  const began = process.cpuUsage();
  for (const text of texts) expect(joinWords(splitWords(text)).length).toBeLessThanOrEqual(4_000);
  expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
});

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
  ['an apostrophe as phones write it', "'", ['’help', '‘help', '‚help', "'help", '＇help']],
  ['an apostrophe of a phone, typed as a straight one', '’', ["'help", '‘help']],
  ['quotation marks as phones write them', '"', ['“help', '”help', '„help', '«help', '»help', '＂help']],
  ['quotation marks of a phone, typed as straight ones', '“”', ['""help', '„“help']],
  ['half-width katakana', 'ガ', ['ｶﾞhelp']],
])('a prefix matches in %s', (_, prefix, contents) => {
  expect(contents.map((content) => restOf(content, prefix))).toEqual(contents.map(() => 'help'));
});

test.each([
  ['the half of a dash', '-', '—help'],
  ['the first dot of an ellipsis', '.', '…help'],
  ['the first of two full stops of width', '!', '‼help'],
  ['a single quotation mark for a double one', '"', '’help'],
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
        // A leading combining mark would combine with the character before it; here there is none.
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

function read(text: string, language: Language = 'en-US', path: CommandPath = ['remind', 'add']) {
  const options = path[0] === 'remind' ? add.options : set.options;
  const { values, extra } = readMessageOptions(options, path, splitWords(text), translatorOf({ language }));
  return { ...values, extra: extra.map(({ value }) => value) };
}

describe('the words of a message', () => {
  test.each<[string, Language, string, string]>([
    ['10m tea', 'en-US', '10m', 'tea'],
    ['in 10 minutes drink tea', 'en-US', 'in 10 minutes', 'drink tea'],
    ['in 1 week 2 days 3 hours 4 minutes tea', 'en-US', 'in 1 week 2 days 3 hours 4 minutes', 'tea'],
    ['tomorrow at 6 pm tea', 'en-US', 'tomorrow at 6 pm', 'tea'],
    ['"in 10m" tea', 'en-US', 'in 10m', 'tea'],
    ['whenever tea', 'en-US', 'whenever', 'tea'],
    ['через 10 минут чай', 'ru', 'через 10 минут', 'чай'],
    ['10 मिनट में चाय', 'hi', '10 मिनट में', 'चाय'],
    ['10分後 お茶', 'ja', '10分後', 'お茶'],
    ['dentro de 10 minutos té', 'es-ES', 'dentro de 10 minutos', 'té'],
  ])('"%s" (%s) are the time "%s" and the text "%s"', (joinWords, language, when, text) => {
    expect(read(joinWords, language)).toEqual({ when, text, timezone: undefined, extra: [] });
  });

  test.each<[string, Language]>([
    ['10m --timezone=Europe/Berlin tea', 'en-US'],
    ['10m --timezone Europe/Berlin tea', 'en-US'],
    ['--TimeZone=Europe/Berlin 10m tea', 'en-US'],
    ['10m tea —timezone=Europe/Berlin', 'en-US'],
    ['10m tea\n--timezone=Europe/Berlin', 'en-US'],
    ['10m tea --timezone Europe/Berlin', 'en-US'],
    ['10m --пояс=Europe/Berlin tea', 'ru'],
    ['10m —タイムゾーン Europe/Berlin tea', 'ja'],
    ['10m --टाइमज़ोन=Europe/Berlin tea', 'hi'],
    ['10m --zona=Europe/Berlin tea', 'es-ES'],
  ])('name an option wherever it stands: %s (%s)', (joinWords, language) => {
    expect(read(joinWords, language)).toEqual({ when: '10m', text: 'tea', timezone: 'Europe/Berlin', extra: [] });
  });

  test('are the value of a named option as long as they fit together', () => {
    for (const typed of [
      '10m --timezone New York tea',
      '10m --timezone=America/New York tea',
      '10m tea --timezone "New York"',
    ])
      expect(read(typed)).toMatchObject({
        when: '10m',
        text: 'tea',
        timezone: expect.stringMatching(/^(?:America\/)?New York$/),
      });
  });

  test('that look like an option and are none belong to the text, and an option without a value is empty', () => {
    const text = 'run it with --force and --a=b — now';
    expect(read(`10m ${text}`)).toMatchObject({ text, timezone: undefined });
    expect(read('10m tea --timezone')).toMatchObject({ text: 'tea', timezone: '' });
  });

  test('are a value to the end of the message, with its line breaks', () => {
    expect(read('10m\n- tea\n- cake')).toMatchObject({ when: '10m', text: '- tea\n- cake' });
    const path: CommandPath = ['settings', 'set'];
    expect(read('prefix hey bot', 'en-US', path)).toEqual({ setting: 'prefix', value: 'hey bot', extra: [] });
  });
});
