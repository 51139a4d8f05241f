import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { text } from './text.ts';

const MAX = 20;
const line = text({ max: MAX });
const prefix = text({ max: MAX, noLeadingSpace: true });
const name = text({ min: 1, max: MAX });

/** Any UTF-16 units, many of them near the borders of the rules. */
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

/** The rule by Unicode's categories: control characters (Cc) and lone surrogates (Cs) are refused. */
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
