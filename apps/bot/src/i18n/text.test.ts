import { expect, test } from 'vitest';
import { code } from './text.ts';

test.each([
  ['!', '`!`'],
  ['`', '`` ` ``'],
  ['`a', '`` `a``'],
  ['a`', '``a` ``'],
  ['a`b', '``a`b``'],
  ['``', '`ˋˋ`'],
  ['```js', '`ˋˋˋjs`'],
  ['a\u202eb', '`aU+202Eb`'],
])('the text %s is shown as it is in code, where Discord can', (text, expected) => {
  expect(code(text)).toBe(expected);
});
