import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

test('integers that a double cannot represent become texts of their digits, at any depth', () => {
  const text =
    '{"guild":197038439483310086,"channels":[381870553235193857,-5],"xp":12.5,"big":1e300,"name":"197038439483310086"}';
  expect(parseJson(text)).toEqual({
    guild: '197038439483310086',
    channels: ['381870553235193857', -5],
    xp: 12.5,
    big: 1e300,
    name: '197038439483310086',
  });
});

test('an integer that a program may have rounded to a double stays a number', () => {
  expect(parseJson('[381870553235193860,-381870553235193860]')).toEqual([381870553235193860, -381870553235193860]);
});

test.each(['{"a":1', '{"id":197038439483310086,}', 'undefined', ''])('%j is no JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});
