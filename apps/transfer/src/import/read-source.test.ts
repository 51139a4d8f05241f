import { expect, test } from 'vitest';
import { NameCounts } from './read-source.ts';

test('names are sorted by how often they came, and the first two hundred are counted each by itself', () => {
  const names = new NameCounts();
  expect(names.isEmpty).toBe(true);
  for (let index = 0; index < 250; index++) names.add(`name-${index}`);
  for (let index = 0; index < 1_200; index++) names.add('name-7');
  names.add('name-249');
  expect(names.sorted).toHaveLength(200);
  expect(`${names}`).toMatch(
    /^name-7 \(1,201 rows\), name-0 \(1 row\), .*, name-11 \(1 row\), and 239 more \(--json lists them\)$/,
  );
});

test('a long name is cut off, and one for a terminal to obey is not passed on', () => {
  const names = new NameCounts();
  names.add('x'.repeat(1_000));
  names.add('\u001b[2Jred');
  expect(`${names}`).toBe(`${'x'.repeat(80)}... (1 row),  [2Jred (1 row)`);
});
