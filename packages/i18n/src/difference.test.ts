import { describe, expect, test } from 'vitest';
import { type DifferenceRow, differenceOf } from './difference.ts';
import { plainText } from './part.ts';
import { wordsIn } from './testing/words.ts';

const english = wordsIn('en-US');

describe('the difference of a change', () => {
  test('has a row for each field, in the order of the record', () => {
    const rows = differenceOf({ beta: { from: false, to: true }, prefix: { from: '!', to: '' } }, english);
    expect(rows).toStrictEqual([
      { field: 'prefix', from: [{ kind: 'value', text: '!' }], to: [{ kind: 'text', text: 'none' }] },
      { field: 'beta', from: [{ kind: 'text', text: 'off' }], to: [{ kind: 'text', text: 'on' }] },
    ]);
  });

  test('says of features which were added and which removed', () => {
    const [row] = differenceOf({ enabledFeatures: { from: ['a', 'b'], to: ['b', 'c'] } }, english);
    expect(row?.items).toStrictEqual({ added: ['c'], removed: ['a'] });
  });

  test('shows both lists of features when only their order has changed', () => {
    const [row] = differenceOf({ enabledFeatures: { from: ['a', 'b'], to: ['b', 'a'] } }, english);
    expect(row?.items).toBeUndefined();
    expect(valuesOf(row)).toStrictEqual(['a and b', 'b and a']);
  });

  test('has features by their ids, for programs that have names for them', () => {
    const [row] = differenceOf({ enabledFeatures: { from: ['a', 'b'], to: ['b', 'a'] } }, english);
    const names = { person: () => '', channel: () => '', feature: (id: string) => id.toUpperCase() };
    expect(plainText(row?.to ?? [], names)).toBe('B and A');
  });

  test('leaves out what has no value to read: the hash of an icon, and whether the bot is there', () => {
    const changes = {
      name: { from: 'Old', to: 'New' },
      icon: { from: null, to: '8342729096ea3675442027381ff50dfe' },
      presence: { from: 'unknown', to: 'present' },
    };
    expect(differenceOf(changes, english).map(({ field }) => field)).toStrictEqual(['name']);
  });

  test('shows the language by its name in the language of the reader, and an unknown one by its tag', () => {
    const [row] = differenceOf({ language: { from: 'ja', to: 'not a tag' } }, wordsIn('es-ES'));
    expect(valuesOf(row)).toStrictEqual(['japonés', 'not a tag']);
  });

  test('shows fields of a later version after the known ones, and no more than sixteen in all', () => {
    const unknown = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`field${n}`, { from: n, to: n + 1 }]));
    const rows = differenceOf({ ...unknown, prefix: { from: '!', to: '?' } }, english);
    expect(rows.map(({ field }) => field).slice(0, 2)).toStrictEqual(['prefix', 'field0']);
    expect(rows).toHaveLength(16);
  });
});

function valuesOf(row: DifferenceRow | undefined): string[] {
  const names = { person: String, channel: String };
  return [row?.from ?? [], row?.to ?? []].map((parts) => plainText(parts, names));
}
