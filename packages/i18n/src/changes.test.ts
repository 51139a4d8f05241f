import { describe, expect, test } from 'vitest';
import { differenceOf, type SentenceSource, type ShownChanges, saysEverything, sentenceOf } from './changes.ts';
import { wordsIn } from './testing/words.ts';
import { actorName, plainText } from './values.ts';
import type { Words } from './words.ts';

const english = wordsIn('en-US');
const olga = { kind: 'user', id: '53908099506183680' } as const;

function say(entry: Partial<SentenceSource>, words: Words = english): string {
  const parts = sentenceOf({ actor: olga, origin: 'trpc', changes: {}, ...entry }, words);
  return plainText(parts, {
    person: (actor) => (actor === olga ? 'olga' : actorName(actor, words)),
    channel: (id) => (id === '381870553235193857' ? '#news' : id),
  });
}

const change = (changes: ShownChanges) => ({ changes });

test('a change of the access list names whom it lets in, with their levels, also those of a later version', () => {
  const to = [
    { subject: 'role:197038439483310901', level: 'editor' },
    { subject: 'user:80351110224678912', level: 'viewer' },
    { subject: 'team:7', level: 'owner' },
  ];
  expect(say(change({ access: { from: [], to } }))).toBe(
    'olga changed who has access from none to 197038439483310901 (editor), User 80351110224678912 (viewer), and team:7 (owner)',
  );
});

test('a change by another change has the number of that one as a part of its own, to be a link', () => {
  const changes = { prefix: { from: '?', to: '!' } };
  const parts = sentenceOf({ actor: olga, origin: 'undo', undoes: 5, changes }, english);
  expect(parts).toContainEqual({ kind: 'change', revision: 5 });
});

test('the report of a bot that was added says everything, also with the name and the icon of the guild', () => {
  const changes = {
    presence: { from: 'unknown', to: 'present' },
    name: { from: '', to: 'Club' },
    icon: { from: null, to: '8342729096ea3675442027381ff50dfe' },
  };
  const platform = { actor: { kind: 'platform', id: null }, origin: 'platform' } as const;
  expect(saysEverything({ ...platform, changes })).toBe(true);
  expect(saysEverything({ ...platform, changes: { name: changes.name, icon: changes.icon } })).toBe(false);
});

test('a value is never read as a template or cut between the halves of a character', () => {
  expect(say(change({ prefix: { from: '{{who}}', to: '$t(field.beta)' } }))).toBe(
    'olga changed the prefix from {{who}} to $t(field.beta)',
  );
  expect(say(change({ future: { from: 'a', to: '🎄'.repeat(50) } }))).toBe(
    `olga changed future from a to ${'🎄'.repeat(39)}…`,
  );
});

describe('the difference of a change', () => {
  test('shows fields of a later version after the known ones, and no more than sixteen in all', () => {
    const unknown = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`field${n}`, { from: n, to: n + 1 }]));
    const rows = differenceOf({ ...unknown, prefix: { from: '!', to: '?' } }, english);
    expect(rows.map(({ field }) => field).slice(0, 2)).toStrictEqual(['prefix', 'field0']);
    expect(rows).toHaveLength(16);
  });
});
