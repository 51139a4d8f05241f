import { expect, test } from 'vitest';
import { duplicateKeys } from './duplicate-keys.ts';

test.each([
  ['{}', []],
  ['{"a": {"b": 1}, "b": {"b": ["b", "b"]}}', []],
  ['[{"a": 1}, {"a": 2}]', []],
  ['{"a": 1, "a": 2, "a": 3}', [['a'], ['a']]],
  [
    '{"x": [0, [{"a": 1, "b": {}, "a": {"c": 1, "c": 2}}]]}',
    [
      ['x', 1, 0, 'a'],
      ['x', 1, 0, 'a', 'c'],
    ],
  ],
  ['{"a": "{\\"a\\": 1, ", "b": ":\\\\", "b": "}"}', [['b']]],
  ['{"a": 1, "\\u0061": 2}', [['a']]],
  ['{"__proto__": 1, "__proto__": 2}', [['__proto__']]],
])('the keys of %s that are there twice: %j', (json, expected) => {
  expect(() => JSON.parse(json)).not.toThrow();
  expect(duplicateKeys(json)).toEqual(expected);
});
