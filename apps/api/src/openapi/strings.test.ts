import { placesOf } from '@guild-settings/testing/contract-check';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from './document.ts';

const PLACES = placesOf(JSON.parse(JSON.stringify(openApiDocument())));
const PATTERNS = [
  ...new Set(PLACES.map(({ value }) => value.pattern).filter((pattern) => typeof pattern === 'string')),
].sort();

/**
 * The syntax that JSON Schema recommends: characters, character classes and ranges, quantifiers, groups, alternatives
 * and anchors. Control characters are written as \x and two digits, because literal ones would not survive an editor.
 * @see https://json-schema.org/understanding-json-schema/reference/regular_expressions
 */
const PORTABLE =
  /^\^(?:\[\^?(?:[^\\[\]]|\\x[0-9A-F]{2})+\]|\((?!\?)|[)|]|[+*?]|\{\d+(?:,\d*)?\}|[^\\[\](){}|+*?^$])*\$$/;

/** The pattern of the specification. In some languages `\d` also matches non-ASCII digits, which only accepts more. */
const SPECIFIED = '^\\d{17,19}$';

const anyText = fc
  .array(fc.oneof(fc.nat(0xff), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff })), { maxLength: 30 })
  .map((codes) => String.fromCodePoint(...codes));

describe('a string in the document', () => {
  test('has a maximum length, unless its values are listed', () => {
    const strings = PLACES.filter(({ value }) => [value.type].flat().includes('string'));
    expect(strings.length).toBeGreaterThan(50);
    const unbounded = strings.filter(({ value }) => !('maxLength' in value || 'enum' in value || 'const' in value));
    expect(unbounded.map(({ pointer }) => pointer)).toEqual([]);
  });

  test('as the value of a header has a maximum length too', () => {
    const headers = PLACES.filter(
      ({ pointer, value }) => /^\/components\/headers\/[^/]+$/.test(pointer) || value.in === 'header',
    );
    expect(headers.length).toBeGreaterThan(15);
    expect(headers.filter(({ value }) => !Object.hasOwn(value.schema as object, 'maxLength'))).toEqual([]);
  });
});

describe('a pattern of the document', () => {
  test.each(PATTERNS)('%s has the syntax that JSON Schema recommends', (pattern) => {
    if (pattern !== SPECIFIED) expect(pattern).toMatch(PORTABLE);
  });

  test.each(PATTERNS)('%s accepts the same texts in RE2, and in JavaScript with and without the flag u', (pattern) => {
    const re2 = RE2JS.compile(pattern);
    const unicode = new RegExp(pattern, 'u');
    const plain = new RegExp(pattern);
    const near = fc.stringMatching(plain, { maxLength: 30 });
    const texts = fc.oneof(near, anyText);
    fc.assert(
      fc.property(texts, (value) => {
        const isMatch = unicode.test(value);
        expect([re2.matcher(value).find(), plain.test(value)]).toEqual([isMatch, isMatch]);
      }),
    );
  });
});
