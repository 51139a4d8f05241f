import { expect, test } from 'vitest';
import { type AccessEdits, changesList, type Entries, withEdits } from './access-list.ts';

const HELPERS = { subject: 'role:197038439483310099', level: 'editor' };
const OLGA = { subject: 'user:53908099506183680', level: 'viewer' };
const LIST: Entries = [HELPERS, OLGA];

test('a chosen level replaces the one of the list, a removal takes the entry away, and who is added comes last', () => {
  const edits: AccessEdits = new Map([
    ['user:53908099506183682', 'viewer'],
    [OLGA.subject, 'editor'],
    [HELPERS.subject, null],
  ]);
  expect(withEdits(LIST, edits)).toEqual([
    { subject: OLGA.subject, level: 'editor' },
    { subject: 'user:53908099506183682', level: 'viewer' },
  ]);
});

test('what was chosen stays when others have changed the list: their entries are kept beside it', () => {
  const edits: AccessEdits = new Map([[OLGA.subject, 'editor']]);
  const added = { subject: 'user:53908099506183682', level: 'viewer' };
  expect(withEdits([HELPERS, OLGA, added], edits)).toEqual([HELPERS, { ...OLGA, level: 'editor' }, added]);
  // Removed by another manager meanwhile.
  expect(withEdits([HELPERS], edits)).toEqual([HELPERS, { ...OLGA, level: 'editor' }]);
});

test('what the list has already is no change', () => {
  const edits: AccessEdits = new Map([
    [OLGA.subject, 'viewer'],
    ['user:53908099506183682', null],
  ]);
  expect(changesList(LIST, edits)).toBe(false);
  expect(changesList([], edits)).toBe(true);
  expect(changesList(LIST, new Map([[HELPERS.subject, null]]))).toBe(true);
});
