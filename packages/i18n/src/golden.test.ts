import { CHANGED_FIELDS, LANGUAGES } from '@guild-settings/contract/constants';
import { SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { describe, expect, test } from 'vitest';
import {
  changedFields,
  differenceOf,
  type SentenceSource,
  type ShownChanges,
  saysEverything,
  sentenceOf,
} from './changes.ts';
import { flawText, reasonFlaw } from './flaws.ts';
import { flawsOf, wordsIn } from './testing/words.ts';
import { actorName, fieldLabel, type Part, plainText, valueParts } from './values.ts';
import { liveText } from './words.ts';

const CHANNEL = '381870553235193857';
const MANY = [...'abcdefgh'];

/** Values of each field, including types of a newer version. */
const ODD = [undefined, null, '', 5, { text: 'hi' }, ['a', 1]];
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  prefix: ['!', '{{who}}', 'x'.repeat(50), true, ...ODD],
  announcement_channel: [CHANNEL, 'news', '😀'.repeat(50), ['a', 'b'], false, ...ODD],
  beta: [true, false, 'partly', ...ODD],
  language: ['ja', 'en-US', 'de', 'not a tag', ['ja'], true, ...ODD],
  enabledFeatures: [[], ['reminders'], ['reminders', 'b'], ['b', 'reminders'], MANY, 'reminders', ...ODD],
  name: ['Old', null, 5],
  icon: ['f64c482b807da4f539cff778d174971c', null, 5],
  presence: ['present', 'left', 'unknown', 'hidden', null, 5],
  'later.{{this}}': ['a', true, ['a', 'b'], ...ODD],
};

const user = { kind: 'user', id: '53908099506183680' } as const;
const platform = { actor: { kind: 'platform', id: '1' }, origin: 'platform' } as const;
const two: ShownChanges = { later: { from: 1, to: 2 }, beta: { from: false, to: true }, prefix: { from: '!', to: '' } };
const all: ShownChanges = Object.fromEntries(Object.keys(VALUES).map((field) => [field, { from: 'a', to: 'b' }]));
const ENTRIES: readonly Partial<SentenceSource>[] = [
  {},
  { changes: two },
  { changes: all },
  { changes: two, origin: 'import' },
  { changes: two, origin: 'undo', undoes: 5 },
  { changes: two, origin: 'restore', restores: 4 },
  { changes: two, origin: 'restore', restores: 0 },
  { changes: two, ...platform },
  { changes: { name: { from: null, to: 'New' }, presence: { from: 'unknown', to: 'present' } }, ...platform },
  { changes: { presence: { from: 'present', to: 'left' } }, ...platform },
  { changes: { presence: { from: 'present', to: 'hidden' } }, ...platform },
  { changes: { name: { from: 'Old', to: 'New' }, icon: { from: 'a', to: null } }, ...platform },
  { changes: { beta: { from: false, to: true } }, actor: { ...user } },
  { changes: { beta: { from: false, to: true } }, actor: { kind: 'user', id: null } },
  { changes: { beta: { from: true, to: false } }, actor: { kind: 'application', id: '80351110224678912' } },
  { changes: { beta: { from: true, to: false } }, actor: { kind: 'of-a-later-version', id: '1' } },
];

const FLAWED = [
  { prefix: 'x'.repeat(21) },
  { prefix: '😀'.repeat(20) },
  { prefix: ' !' },
  { prefix: 'a\u0000' },
  { prefix: '\ud800' },
  { prefix: '!\u200b' },
  { prefix: ` ${'\u0007\u200b'.repeat(20)}` },
  { prefix: ' \u0007\u200b' },
  { announcement_channel: 'x'.repeat(101) },
  { announcement_channel: '\n' },
  { announcement_channel: ' a\u200b' },
  { beta: true, language: 'ja' },
  { enabledFeatures: Array.from({ length: 65 }, (_, index) => `feature-${index}`) },
  { enabledFeatures: ['ok', 'a\u200bb', 'a\u2060b'] },
  { enabledFeatures: ['', 'x'.repeat(65), ' a', '\u0000'] },
  { prefix: ' ', announcement_channel: '\u0000', enabledFeatures: ['\u200b'] },
] as const;
const REASONS = ['fine', 'x'.repeat(513), 'a\nb', 'a\u200bb'];

describe.each(LANGUAGES)('in %s, word for word as they were recorded, are', (language) => {
  const words = wordsIn(language);
  const plain = (parts: readonly Part[]) =>
    plainText(parts, {
      value: (text) => `‹${text}›`,
      feature: (id) => `‹feature ${id}›`,
      person: (actor) => (actor === user ? '@' : actorName(actor, words)),
      channel: (id) => `‹channel ${id}›`,
    });
  const say = (entry: Partial<SentenceSource>) =>
    plain(sentenceOf({ actor: user, origin: 'trpc', changes: {}, ...entry }, words));
  const golden = (name: string, lines: readonly string[]) =>
    expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.${language}.txt`);

  test('labels and values', () =>
    golden('values', [
      ...[...CHANGED_FIELDS, 'later', 'x'.repeat(50)].map((field) => `${field}: ${fieldLabel(field, words)}`),
      ...Object.entries(VALUES).flatMap(([field, values]) =>
        values.map((value) => `${field} ${JSON.stringify(value)}: ${plain(valueParts(field, value, words))}`),
      ),
      `two of many: ${plain(valueParts('enabledFeatures', MANY, words, 2))}`,
    ]));

  test('sentences, differences and authors', () => {
    const pairs = Object.entries(VALUES).flatMap(([field, values]) => {
      const [first] = values;
      const next = values.map((value, index) => [value, values[(index + 1) % values.length]]);
      return [...next, [first, ''], ['', first], [first, first]].map(([from, to]) => ({
        changes: { [field]: { from, to } },
      }));
    });
    return golden(
      'sentences',
      [...pairs, ...ENTRIES].map((entry) => {
        // The values of a single field are those in its sentence.
        const isShort = language !== 'en-US' && Object.keys(entry.changes ?? {}).length < 2;
        const rows = differenceOf(isShort ? {} : (entry.changes ?? {}), words).map(
          ({ field, from, to, items: features }) =>
            `  ${field}: ${plain(from)} → ${plain(to)}${features === undefined ? '' : ` ${JSON.stringify(features)}`}`,
        );
        const source = { actor: user, origin: 'trpc', changes: {}, ...entry };
        return [`${say(entry)}${saysEverything(source) ? '' : ' …'}`, ...rows].join('\n');
      }),
    );
  });

  test('where a change is live', () =>
    golden(
      'live',
      [
        { latencyMs: 7 },
        { latencyMs: 7, processes: 3, away: 0 },
        ...[1, 2, 5, 21].flatMap((processes) => [1, 2, 5].map((away) => ({ latencyMs: 7, processes, away }))),
        { processes: 3, away: 1 },
        {},
      ].map((change) => `${JSON.stringify(change)}: ${liveText(change, words)}`),
    ));

  test('flaws', () => {
    const escaped = (value: unknown) =>
      JSON.stringify(value)
        .slice(0, 60)
        .replaceAll(/\p{C}/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
    return golden('flaws', [
      ...FLAWED.map((settings) => {
        const flaws = Object.entries(flawsOf(settings)).map(
          ([field, flaw]) =>
            `  ${field}: ${flawText(flaw, words, SPECIFIED_SETTINGS.byField.get(field))} ${JSON.stringify(flaw)}`,
        );
        return [escaped(settings), ...flaws].join('\n');
      }),
      ...REASONS.map((reason) => `${escaped(reason)}: ${JSON.stringify(reasonFlaw(reason))}`),
    ]);
  });
});

test('the order of changed fields is as it was recorded', () =>
  expect(`${changedFields(all).join('\n')}\n`).toMatchFileSnapshot('golden/changed-fields.txt'));
