import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { invisibleIn } from './invisible.ts';
import { text } from './text.ts';

const MAX = 20;
const line = text({ max: MAX });
const prefix = text({ max: MAX, noLeadingSpace: true });
const name = text({ min: 1, max: MAX });

/** Any UTF-16 units, many of them close to the boundaries of the rules. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xa1 }),
      fc.integer({ min: 0xd7fe, max: 0xe001 }),
      fc.constantFrom(0x1680, 0x2000, 0x200a, 0x200b, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff),
      fc.integer({ min: 0, max: 0xffff }),
    ),
    { maxLength: MAX + 3 },
  )
  .map((units) => String.fromCharCode(...units));

/** The rule by Unicode categories: control characters (Cc) and lone surrogates (Cs) are refused. */
const isPlain = (value: string) => /^[^\p{Cc}\p{Cs}]*$/u.test(value);
const lengthOf = (value: string) => [...value].length;

const documented = (schema: z.ZodType) => z.toJSONSchema(schema) as { pattern: string; description: string };

describe('a line of text', () => {
  test('is accepted by the categories of its characters and its length in code points', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const isLine = isPlain(value) && lengthOf(value) <= MAX;
        expect(line.safeParse(value).success).toBe(isLine);
        expect(prefix.safeParse(value).success).toBe(isLine && !/^\s/u.test(value));
        expect(name.safeParse(value).success).toBe(isLine && value !== '');
      }),
      { numRuns: 2_000 },
    );
  });

  test('is refused for each control character of Unicode, and for no other code point', () => {
    const pattern = new RegExp(documented(line).pattern, 'u');
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if (pattern.test(character) === /\p{Cc}/u.test(character)) expect.fail(`U+${code.toString(16)}`);
    }
  });

  test('is documented by a pattern that accepts everything that the service accepts', () => {
    const pattern = new RegExp(documented(prefix).pattern);
    fc.assert(
      fc.property(anyText, (value) => {
        if (prefix.safeParse(value).success) expect(value).toMatch(pattern);
      }),
    );
  });

  test('has the rules that the pattern leaves out in its description', () => {
    expect(documented(text({ max: 1, description: 'A name.' })).description).toBe(
      'A name. No control characters, no lone surrogates.',
    );
    expect(documented(prefix).description).toContain('no white space at the start');
  });
});

describe('an invisible character', () => {
  test.each([
    ['a Hangul filler', '\u3164', 'U+3164'],
    ['a space without width', 'a\u200bb', 'U+200B'],
    ['a joiner after a punctuation mark', '!\u200d', 'U+200D'],
    ['a joiner between letters that do not join', 'remi\u200cnders', 'U+200C'],
    ['a joiner between ideographs', '東\u200d京', 'U+200D'],
    ['two joiners between letters', 'می\u200c\u200cخواهم', 'U+200C'],
    ['a joiner at the end of a word', 'می\u200c', 'U+200C'],
    ['a joiner after an emoji that nothing follows', '😀\u200d', 'U+200D'],
    ['a joiner between an emoji and a letter', '😀\u200da', 'U+200D'],
    ['a presentation of a digit that is no keycap', '1\ufe0f', 'U+FE0F'],
    ['two presentations of an emoji', '❤\ufe0f\ufe0f', 'U+FE0F'],
    ['tags that no flag has', '🏴\u{e0061}\u{e0062}\u{e007f}', 'U+E0061'],
    ['a soft hyphen', 'a\u00adb', 'U+00AD'],
    ['a byte order mark', '\ufeff!', 'U+FEFF'],
    ['a Hangul filler beside a joiner', 'क\u200d\u115f', 'U+200D'],
    ['the mark of another direction', '!\u200e', 'U+200E'],
  ])('is named: %s', (_name, text, codePoint) => {
    expect(invisibleIn(text)).toBe(codePoint);
  });

  test('is each control of the direction of text, wherever it is', () => {
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const control = String.fromCodePoint(code);
      if (!/\p{Bidi_Control}/u.test(control)) continue;
      for (const text of [control, `می${control}خ`, `क्${control}ष`, `👩${control}🚀`]) {
        expect(invisibleIn(text), text).toBe(`U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
      }
    }
  });
});

describe('no invisible character has', () => {
  test.each([
    ['text without any', ['!', 'hey bot', 'プレフィックス', 'é', 'e\u0301', '']],
    ['Persian, with a non-joiner', ['می\u200cخواهم', 'خانه\u200cها', 'نمی\u200cآیم']],
    ['Hindi and Marathi, with joiners', ['क्\u200dष', 'क्\u200cष', 'र्\u200dय', 'श्री\u200cमान']],
    ['Bengali, Malayalam and Sinhala, with joiners', ['র\u200d্য', 'ന്\u200d', 'ශ්\u200dරී']],
    ['an emoji with its presentation', ['❤️', '☺\ufe0e', '‼️', '©️']],
    ['a keycap', ['1️⃣', '#️⃣', '*️⃣']],
    ['an emoji with a skin tone', ['👍🏽', '☝🏿', '🕵️🏽\u200d♂️']],
    [
      'joined emoji',
      ['👩\u200d🚀', '👨🏻\u200d🦰', '🏳️\u200d🌈', '🏴\u200d☠️', '👩🏽\u200d❤️\u200d💋\u200d👨🏿', '🐦\u200d🔥'],
    ],
    ['a flag', ['🇮🇳', ...['gbeng', 'gbsct', 'gbwls'].map(flagOf)]],
    ['several of them beside each other', [`${flagOf('gbsct')}👩\u200d🚀क्\u200dष1️⃣`]],
  ])('%s', (_name, texts) => {
    expect(texts.filter((text) => invisibleIn(text) !== undefined)).toEqual([]);
  });
});

/** Returns the flag of a region: a black flag, the region as tags, and the end of tags. */
function flagOf(region: string): string {
  const tags = [...region].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
  return `🏴${tags.join('')}\u{e007f}`;
}
