import { DeclaredSettings, defineSettings } from '@guild-settings/contract/settings';
import { describe, expect, test } from 'vitest';
import { differenceOf, sentenceOf } from './changes.ts';
import { flawOf, flawText } from './flaws.ts';
import { wordsIn } from './testing/words.ts';
import { fieldLabel, plainText, valueParts } from './values.ts';
import type { Words } from './words.ts';

const settings = new DeclaredSettings(
  defineSettings({
    settings: {
      welcome: { kind: 'switch', label: { ja: 'ようこそ', 'en-US': 'Welcome' } },
      message: { kind: 'text', max: 20, label: { hi: 'संदेश', ru: 'Сообщение' } },
      log: { kind: 'channel', label: { 'en-US': 'Log' } },
      roles: { kind: 'role', many: { max: 2 }, label: { 'en-US': 'Roles' } },
      rate: { kind: 'integer', min: 1, max: 5_000, default: 5, unit: '%', label: { 'en-US': 'Rate' } },
      pause: { kind: 'duration', min: 60, max: 90_061, default: 60, label: { 'en-US': 'Pause' } },
      level: {
        kind: 'choice',
        choices: { off: { 'en-US': 'Nothing', ja: 'なし' } },
        default: 'off',
        label: { 'en-US': 'Level' },
      },
    },
  }),
);
const english: Words = { ...wordsIn('en-US'), settings };
const japanese: Words = { ...wordsIn('ja'), settings };
const names = { person: () => 'olga', channel: (id: string) => `#${id}`, role: (id: string) => `@${id}` };

test.each([
  ['custom.welcome', japanese, 'ようこそ'],
  ['custom.log', japanese, 'Log'],
  ['custom.message', english, 'संदेश'],
  ['custom.gone', english, 'custom.gone'],
])(
  '%s has the label of its declaration in the language of the reader, else in English, else in any',
  (field, words, label) => {
    expect(fieldLabel(field, words)).toBe(label);
  },
);

describe('a value of a declared setting is shown by its kind:', () => {
  test.each([
    ['custom.welcome', true, 'on', 'オン'],
    ['custom.message', 'Hi', 'Hi', 'Hi'],
    ['custom.log', '1', '#1', '#1'],
    ['custom.log', '', 'none', 'なし'],
    ['custom.roles', ['1', '2'], '@1 and @2', '@1、@2'],
    ['custom.roles', [], 'none', 'なし'],
    ['custom.rate', 1_000, '1,000 %', '1,000 %'],
    ['custom.pause', 90_061, '1 day 1 hr 1 min 1 sec', '1 日1 時間1 分1 秒'],
    ['custom.pause', 5_400, '1 hr 30 min', '1 時間30 分'],
    ['custom.pause', 0, '0 sec', '0 秒'],
    ['custom.level', 'off', 'Nothing', 'なし'],
    ['custom.level', 'klingon!', 'klingon!', 'klingon!'],
    // The tag of a language in ISO 639-3.
    ['custom.level', 'all', 'all', 'all'],
    ['custom.rate', 'of another kind', 'of another kind', 'of another kind'],
  ])('%s %j', (field, value, ...expected) => {
    expect([english, japanese].map((words) => plainText(valueParts(field, value, words), names))).toStrictEqual(
      expected,
    );
  });
});

test('a change of declared settings has a sentence and rows, before what Discord owns', () => {
  const changes = {
    name: { from: 'a', to: 'b' },
    'custom.roles': { from: ['1'], to: ['2'] },
    'custom.rate': { from: 5, to: 6 },
  };
  const say = (field: keyof typeof changes) =>
    plainText(
      sentenceOf({ actor: { kind: 'user', id: '1' }, origin: 'trpc', changes: { [field]: changes[field] } }, english),
      names,
    );
  expect(say('custom.rate')).toBe('olga changed Rate from 5 % to 6 %');
  expect(say('custom.roles')).toBe('olga changed Roles from @1 to @2');
  const rows = differenceOf(changes, english);
  expect(rows.map(({ field }) => field)).toStrictEqual(['custom.roles', 'custom.rate', 'name']);
  expect(rows[0]?.items).toStrictEqual({ added: ['2'], removed: ['1'] });
});

test.each([
  ['custom.pause', 5, 'At least 1 min'],
  ['custom.rate', 9_000, 'At most 5,000 %'],
  ['custom.level', 'all', 'Not one of the choices'],
  ['custom.log', 'here', 'Not a Discord ID (17 to 20 digits)'],
  ['custom.roles', ['', '', ''], 'At most 2 values'],
  ['custom.message', 'x'.repeat(21), 'At most 20 characters'],
  ['custom.message', '\u200b', undefined],
])('a flaw of %s %j has a text', (field, value, text) => {
  const setting = settings.byField.get(field);
  const flaw = setting && flawOf(setting, value);
  expect(flaw && flawText(flaw, english, setting)).toBe(text);
});
