import { expect, test } from 'vitest';
import { counted } from './flaw.ts';

test.each([
  [0, '0 guilds'],
  [1, '1 guild'],
  [2, '2 guilds'],
  [1_204, '1,204 guilds'],
])('%s is counted as %s', (count, text) => {
  expect(counted(count, 'guild')).toBe(text);
});
