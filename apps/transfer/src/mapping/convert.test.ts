import { DeclaredSettings } from '@guild-settings/contract';
import { expect, test } from 'vitest';
import { ConversionError, convert } from './convert.ts';

const label = { 'en-US': 'A setting', ja: '設定' };
const range = { min: 0, max: 10, default: 0, label };
const many = { max: 25 };

/** A setting of each kind beside those of the specification. */
const { byField } = new DeclaredSettings({
  settings: {
    xpRate: { kind: 'integer', ...range },
    cooldown: { kind: 'duration', ...range },
    logLevel: {
      kind: 'choice',
      choices: { off: label, all: { 'en-US': 'Everything', ja: 'すべて' } },
      default: 'off',
      label,
    },
    side: { kind: 'choice', choices: { a_b: { 'en-US': 'Same' }, 'a-b': { 'en-US': 'same' } }, default: 'a_b', label },
    muteRole: { kind: 'role', label },
    autoRoles: { kind: 'role', many, label },
    logChannels: { kind: 'channel', many, label },
    levels: { kind: 'integer', many, ...range, default: [] },
    logLevels: { kind: 'choice', many, choices: { joins: {}, leaves: {} }, label },
    reminders: { kind: 'duration', many, ...range, default: [] },
    greetings: { kind: 'text', many, max: 5, label },
  },
});

function convertFor(name: string, value: unknown): unknown {
  const setting = byField.get(name) ?? byField.get(`custom.${name}`);
  return setting && convert(setting, value);
}

const ROLES = ['381870553235193857', '381870553235193858'];

test.each<[string, unknown, unknown]>([
  ['xpRate', 5, 5],
  ['xpRate', ' -5 ', -5],
  ['xpRate', '5.0', 5],
  ['cooldown', 90, 90],
  ['cooldown', '90', 90],
  ['cooldown', '10m', 600],
  ['cooldown', '1h 30m', 5_400],
  ['cooldown', '2 Days 1hour30 s', 176_430],
  ['logLevel', 'ALL', 'all'],
  ['logLevel', 'Everything', 'all'],
  ['logLevel', 'すべて', 'all'],
  ['side', 'a-b', 'a-b'],
  ['muteRole', '<@&381870553235193857>', '381870553235193857'],
  ['muteRole', '', ''],
  ['autoRoles', ['381870553235193857', '<@&381870553235193858>', '', '381870553235193857'], ROLES],
  ['autoRoles', '381870553235193857, 381870553235193858', ROLES],
  ['autoRoles', { '381870553235193857': true, '381870553235193858': true, '381870553235193859': false }, ROLES],
  ['logChannels', '<#381870553235193857>', ['381870553235193857']],
  ['levels', [5, '10'], [5, 10]],
  ['levels', 5, [5]],
  ['logLevels', { joins: true, leaves: false }, ['joins']],
  ['reminders', '10m, 1h', [600, 3_600]],
  ['greetings', 'Hi, Hello', ['Hi', 'Hello']],
])('%s: %j becomes %j', (field, value, expected) => {
  expect(convertFor(field, value)).toEqual(expected);
});

test.each<[string, unknown, string]>([
  ['xpRate', 1.5, 'expected an integer, received 1.5'],
  ['xpRate', 'many', 'expected an integer, received "many"'],
  ['xpRate', '9007199254740993', 'expected an integer, received "9007199254740993"'],
  ['cooldown', -1, 'expected seconds, or a duration such as 10m or 1h 30m (units: s, m, h, d, w), received -1'],
  ['cooldown', '10 fortnights', 'received "10 fortnights"'],
  ['cooldown', '1h 30', 'received "1h 30"'],
  ['cooldown', '', 'received ""'],
  ['logLevel', 'some', 'expected one of off, all or its name (--value logLevel:FROM=TO converts others), received'],
  ['side', 'A_B', 'expected one of a_b, a-b or its name (--value side:FROM=TO converts others), received "A_B"'],
  ['side', 'Same', 'received "Same"'],
  [
    'logLevels',
    ['some'],
    'expected one of joins, leaves or its name (--value logLevels:FROM=TO converts others), received "some"',
  ],
  ['muteRole', '<#381870553235193857>', 'expected the id or the mention of a role, received "<#381870553235193857>"'],
  ['autoRoles', ['381870553235193857', 'Member'], 'expected the id or the mention of a role, received "Member"'],
  ['muteRole', 381870553235193860, 'the number 381870553235193860, whose last digits may be lost: ids must be strings'],
  ['autoRoles', [381870553235193860], 'received the number 381870553235193860, whose last digits may be lost'],
  ['autoRoles', true, 'expected roles: an array, a list with commas, or an object of true and false, received true'],
])('%s: %j is refused, not guessed', (field, value, message) => {
  expect(() => convertFor(field, value)).toThrow(ConversionError);
  expect(() => convertFor(field, value)).toThrow(message);
});
