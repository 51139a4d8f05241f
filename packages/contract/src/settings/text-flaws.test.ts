import { anyCharacter } from '@guild-settings/testing/any-character';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textFlaws } from './text-flaws.ts';

test('the length of a text is its number of code points, at both limits', () => {
  const limit = fc.nat({ max: 12 });
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 12 }), limit, limit, (text, one, other) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)];
      const length = [...text].length;
      const expected = length < min ? [['tooShort', min, length]] : length > max ? [['tooLong', max, length]] : [];
      const found = textFlaws(text, { min, max }).filter(({ key }) => key === 'tooShort' || key === 'tooLong');
      expect(found.map((flaw) => [flaw.key, flaw.count, 'length' in flaw ? flaw.length : undefined])).toEqual(expected);
    }),
    { numRuns: 1_000, seed: 1 },
  );
  expect(textFlaws('😀', { min: 2, max: 9 })).toMatchObject([{ key: 'tooShort' }]);
  expect(textFlaws('😀😀', { min: 2, max: 2 })).toEqual([]);
});
