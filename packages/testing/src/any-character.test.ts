import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from './any-character.ts';

test('text of any characters has those beyond the basic plane, no halves of one, and names that objects have', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 20 });
  const texts = fc.sample(text, { numRuns: 2_000, seed: 1 });
  expect(texts.filter((one) => /\p{Cs}/u.test(one))).toEqual([]);
  expect(texts.some((one) => /[\u{10000}-\u{10ffff}]/u.test(one))).toBe(true);
  expect(texts.some((one) => /__proto__|toString|valueOf|constructor|hasOwnProperty/.test(one))).toBe(true);
});
