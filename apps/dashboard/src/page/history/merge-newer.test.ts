import type { Entry } from '@guild-settings/i18n';
import { expect, test } from 'vitest';
import { mergeNewer, newestShown } from './merge-newer.ts';

function entry(revision: number, more: Partial<Entry> = {}): Entry {
  return {
    revision,
    at: '2026-11-22T12:00:00.000Z',
    kind: 'settings',
    actor: { kind: 'user', id: '53908099506183680' },
    origin: 'trpc',
    reason: null,
    changes: {},
    ...more,
  };
}

const revisions = (parts: ReturnType<typeof mergeNewer>) =>
  parts.map(({ entries }) => entries.map((one) => one.revision));

test('new changes are at the beginning, each once, and older parts stay where they are', () => {
  const parts = [
    { entries: [entry(5), entry(4)], before: 4 },
    { entries: [entry(2)], before: undefined },
  ];
  const merged = mergeNewer(parts, [entry(7), entry(6), entry(5)]);
  expect(revisions(merged)).toStrictEqual([[7, 6, 5, 4], [2]]);
  expect(merged.map(({ before }) => before)).toStrictEqual([4, undefined]);
  expect(newestShown(merged)).toBe(7);
});

test('the first changes of a guild fill an empty list', () => {
  expect(revisions(mergeNewer([], [entry(1)]))).toStrictEqual([[1]]);
  expect(newestShown([])).toBe(0);
});

test('a shown change is undone by the newest of the new changes that undid it', () => {
  const parts = [{ entries: [entry(4), entry(3)], before: undefined }];
  const newer = [entry(9, { undoes: 3 }), entry(8, { undoes: 7 }), entry(6, { undoes: 3 })];
  const [part] = mergeNewer(parts, newer);
  expect(part?.entries.find(({ revision }) => revision === 3)?.undoneBy).toBe(9);
  expect(part?.entries.find(({ revision }) => revision === 4)?.undoneBy).toBeUndefined();
});
