import { LANGUAGES } from '@guild-settings/contract/constants';
import { describe, expect, test } from 'vitest';
import {
  type DifferenceRow,
  differenceOf,
  type SentenceSource,
  type ShownChanges,
  saysEverything,
  sentenceOf,
} from './changes.ts';
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

describe('a change of one setting', () => {
  test.each([
    ['prefix', '!', '?', 'olga changed the prefix from ! to ?'],
    ['prefix', '!', '', 'olga switched prefix commands off (prefix before: !)'],
    ['prefix', '', '?', 'olga switched prefix commands on, with the prefix ?'],
    ['announcement_channel', '', '381870553235193857', 'olga chose #news for announcements'],
    ['announcement_channel', '381870553235193857', '2', 'olga moved announcements from #news to 2'],
    ['announcement_channel', '2', '', 'olga switched announcements off (channel before: 2)'],
    ['beta', false, true, 'olga switched beta features on'],
    ['beta', true, false, 'olga switched beta features off'],
    ['language', 'ja', 'es-ES', 'olga changed the language from Japanese to Spanish'],
    ['enabledFeatures', [], ['reminders'], 'olga enabled reminders'],
    ['enabledFeatures', ['a', 'b', 'c'], ['b'], 'olga disabled a and c'],
    ['enabledFeatures', ['a'], ['b', 'c', 'd'], 'olga enabled b, c, and d and disabled a'],
    ['enabledFeatures', ['a', 'b'], ['b', 'a'], 'olga changed the order of the features'],
    ['enabledFeatures', [], [...'abcdefgh'], 'olga enabled a, b, c, d, e, and 3 more'],
  ])('%s from %j to %j', (field, from, to, expected) => {
    expect(say(change({ [field]: { from, to } }))).toBe(expected);
  });
});

test('a change of several settings names them in the order of the record', () => {
  const changes = {
    language: { from: 'ja', to: 'hi' },
    beta: { from: false, to: true },
    prefix: { from: '!', to: '?' },
  };
  expect(say({ changes })).toBe('olga changed the prefix, beta features, and the language');
});

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

describe('a change by another change', () => {
  const changes = { prefix: { from: '?', to: '!' } };
  test.each([
    [{ origin: 'undo', undoes: 5 }, 'olga undid change #5'],
    [{ origin: 'restore', restores: 4 }, 'olga restored the settings of change #4'],
    [{ origin: 'restore', restores: 0 }, 'olga restored the default settings'],
    [{ origin: 'import' }, 'olga imported settings'],
  ])('%j', (entry, expected) => expect(say({ ...entry, changes })).toBe(expected));

  test('has the number of the other change as a part of its own, to be a link', () => {
    const parts = sentenceOf({ actor: olga, origin: 'undo', undoes: 5, changes }, english);
    expect(parts).toContainEqual({ kind: 'change', revision: 5 });
  });
});

describe('what Discord reports', () => {
  const platform = { actor: { kind: 'platform', id: null }, origin: 'platform' } as const;
  test.each([
    ['presence', 'unknown', 'present', 'The bot was added to this server'],
    ['presence', 'present', 'left', 'The bot was removed from this server'],
    ['name', 'Old', 'New', 'The server was renamed from Old to New'],
    ['icon', 'a', 'b', 'The server has a new icon'],
    ['icon', 'a', null, 'The server no longer has an icon'],
  ])('%s from %j to %j', (field, from, to, expected) =>
    expect(say({ ...platform, changes: { [field]: { from, to } } })).toBe(expected),
  );
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

describe('authors', () => {
  test.each([
    [{ kind: 'user', id: '53908099506183680' }, 'User 53908099506183680'],
    [{ kind: 'user', id: null }, 'A user whose data was erased'],
    [{ kind: 'application', id: '80351110224678912' }, 'The bot'],
    [{ kind: 'moderator-of-a-later-version', id: '1' }, 'moderator-of-a-later-version'],
  ])('%j', (actor, expected) => expect(actorName(actor, english)).toBe(expected));
});

describe('what this version does not know', () => {
  test('a field is named as the service names it, with its values as JSON', () => {
    expect(say(change({ welcome: { from: null, to: { text: 'hi' } } }))).toBe(
      'olga changed welcome from none to {"text":"hi"}',
    );
  });

  test('a known field with a value of another type has a sentence', () => {
    expect(say(change({ beta: { from: false, to: 'partly' } }))).toBe('olga changed beta features from off to partly');
  });

  test('a change without fields has a sentence', () => expect(say({})).toBe('olga saved without changes'));
});

test('a value is never read as a template or cut between the halves of a character', () => {
  expect(say(change({ prefix: { from: '{{who}}', to: '$t(field.beta)' } }))).toBe(
    'olga changed the prefix from {{who}} to $t(field.beta)',
  );
  expect(say(change({ future: { from: 'a', to: '🎄'.repeat(50) } }))).toBe(
    `olga changed future from a to ${'🎄'.repeat(39)}…`,
  );
});

describe.each(LANGUAGES)('in %s', (language) => {
  const words = wordsIn(language);

  test('a sentence has the author and both values', () => {
    const sentence = say(change({ prefix: { from: '!', to: '?' } }), words);
    for (const part of ['olga', '!', '?']) expect(sentence).toContain(part);
    expect(sentence).not.toMatch(/sentence\.|\{\{/);
  });
});

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
