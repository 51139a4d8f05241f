import { DeclaredSettings } from '@guild-settings/contract';
import { expect, test } from 'vitest';
import { fitting } from './take-value.ts';

const label = { 'en-US': 'A setting', ja: '設定' };
const range = { min: -10, max: 100_000, default: 0, label };
const span = { min: 0, max: 100_000, default: 0, label };
const many = { max: 25 };

/** A setting of each kind besides those of the specification. */
const { byField } = new DeclaredSettings({
  settings: {
    xpRate: { kind: 'integer', ...range },
    boost: { kind: 'number', ...range, decimals: 2, unit: '×' },
    cooldown: { kind: 'duration', ...span },
    logLevel: {
      kind: 'choice',
      choices: { off: label, all: { 'en-US': 'Everything', ja: 'すべて' } },
      default: 'off',
      label,
    },
    side: { kind: 'choice', choices: { a_b: { 'en-US': 'Same' }, 'a-b': { 'en-US': 'same' } }, default: 'a_b', label },
    muteRole: { kind: 'role', label },
    owner: { kind: 'user', label },
    zone: { kind: 'timeZone', label },
    opens: { kind: 'time', default: '00:00', label },
    accent: { kind: 'color', default: '#000000', label },
    star: { kind: 'emoji', label },
    autoRoles: { kind: 'role', many, label },
    logChannels: { kind: 'channel', many, label },
    quiet: { kind: 'channel', many: { max: 100 }, label },
    levels: { kind: 'integer', many, ...range, default: [] },
    logLevels: { kind: 'choice', many, choices: { joins: {}, leaves: {} }, label },
    reminders: { kind: 'duration', many, ...span, default: [] },
    greetings: { kind: 'text', many, max: 5, label },
    reactions: { kind: 'emoji', many, label },
    palette: { kind: 'color', many, label },
    levelRoles: {
      kind: 'table',
      max: 25,
      columns: { level: { kind: 'integer', min: 1, max: 100, label }, role: { kind: 'role', label } },
      key: ['level'],
      label,
    },
    warns: {
      kind: 'table',
      max: 25,
      columns: {
        at: { kind: 'integer', min: 1, max: 100, label },
        action: { kind: 'choice', choices: { mute: {}, ban: {} }, label },
        minutes: { kind: 'integer', min: 0, max: 1_000, default: 0, label },
      },
      label,
    },
    replies: {
      kind: 'table',
      max: 25,
      columns: { trigger: { kind: 'text', max: 20, label }, reply: { kind: 'text', max: 20, label } },
      label,
    },
  },
});

function convertFor(name: string, value: unknown): unknown {
  const fit = fitting(byField.get(`custom.${name}`) ?? expect.fail(`${name} is not declared`), value);
  return fit.is === 'value' ? fit.value : fit.problem;
}

const ROLES = ['381870553235193857', '381870553235193858'];
const [ROLE, OTHER] = ROLES;
const THIRTY = Array.from({ length: 30 }, (_, index) => `3818705532351938${String(index).padStart(2, '0')}`);

test.each<[string, unknown, unknown]>([
  ['xpRate', 5, 5],
  ['xpRate', ' -5 ', -5],
  ['xpRate', '5.0', 5],
  ['boost', 1.5, 1.5],
  ['boost', '1.50', 1.5],
  ['boost', '１.５', 1.5],
  ['boost', '2 ×', 2],
  ['cooldown', 90, 90],
  ['cooldown', '90', 90],
  ['cooldown', '10m', 600],
  ['cooldown', '1h 30m', 5_400],
  ['cooldown', '10分', 600],
  ['cooldown', '2 часа', 7_200],
  ['logLevel', 'ALL', 'all'],
  ['logLevel', 'Everything', 'all'],
  ['logLevel', 'すべて', 'all'],
  ['side', 'a-b', 'a-b'],
  ['side', 'Same', 'a_b'],
  ['side', 'A_B', 'a_b'],
  ['muteRole', '<@&381870553235193857>', ROLE],
  ['muteRole', '', ''],
  ['muteRole', 'なし', ''],
  ['owner', '<@!381870553235193857>', ROLE],
  ['owner', ' 381870553235193857 ', ROLE],
  ['owner', '', ''],
  ['zone', 'Asia/Calcutta', 'Asia/Calcutta'],
  ['zone', 'europe/berlin', 'Europe/Berlin'],
  ['zone', 'UTC', 'UTC'],
  ['zone', 'New York', 'America/New_York'],
  ['zone', 'Москва', 'Europe/Moscow'],
  ['opens', '21:30', '21:30'],
  ['opens', '09:05:00', '09:05'],
  ['opens', '9:30 pm', '21:30'],
  ['opens', '午後9時', '21:00'],
  ['opens', '２１:３０', '21:30'],
  ['accent', 'Blurple', '#5865F2'],
  ['accent', 'DarkButNotBlack', '#2C2F33'],
  ['accent', '赤', '#ED4245'],
  ['accent', 5_793_266, '#5865F2'],
  ['accent', '5793266', '#5865F2'],
  ['accent', 0, '#000000'],
  ['accent', '65280', '#00FF00'],
  ['accent', '000000', '#000000'],
  ['accent', '#5865f2', '#5865F2'],
  ['accent', '5865F2', '#5865F2'],
  ['accent', '0x5865F2', '#5865F2'],
  ['accent', '#58F', '#5588FF'],
  ['accent', [88, 101, 242], '#5865F2'],
  ['accent', { r: 88, g: 101, b: 242 }, '#5865F2'],
  ['star', '⭐', '⭐'],
  ['star', '<:yes:381870553235193857>', '<:yes:381870553235193857>'],
  ['star', 'yes:381870553235193857', '<:yes:381870553235193857>'],
  ['star', 'a:yes:381870553235193857', '<a:yes:381870553235193857>'],
  ['star', { id: ROLE, name: 'yes', animated: true }, '<a:yes:381870553235193857>'],
  ['star', { id: null, name: '⭐', animated: false }, '⭐'],
  ['star', '', ''],
  ['autoRoles', ['381870553235193857', '<@&381870553235193858>', '', null, '381870553235193857'], ROLES],
  ['autoRoles', '381870553235193857, 381870553235193858', ROLES],
  ['autoRoles', '381870553235193857 <@&381870553235193858>', ROLES],
  ['autoRoles', '["381870553235193857","381870553235193858"]', ROLES],
  ['autoRoles', { '381870553235193857': true, '381870553235193858': true, '381870553235193859': false }, ROLES],
  ['autoRoles', ROLE, [ROLE]],
  ['logChannels', '<#381870553235193857>', [ROLE]],
  ['quiet', THIRTY, THIRTY],
  ['levels', [5, '10'], [5, 10]],
  ['levels', 5, [5]],
  ['logLevels', { joins: true, leaves: false }, ['joins']],
  ['reminders', '10m, 1h', [600, 3_600]],
  ['greetings', 'Hi, Hello', ['Hi', 'Hello']],
  ['reactions', [{ id: ROLE, name: 'yes' }, '⭐'], ['<:yes:381870553235193857>', '⭐']],
  ['palette', '#58F, 0, 5865F2', ['#5588FF', '#000000', '#5865F2']],
])('%s: %j becomes %j', (field, value, expected) => {
  expect(convertFor(field, value)).toEqual(expected);
});

const LEVEL_ROLES = [
  { level: 5, role: ROLE },
  { level: 20, role: OTHER },
];

test.each<[string, string, unknown, unknown]>([
  [
    'an array of objects',
    'levelRoles',
    [
      { level: '5', role: `<@&${ROLE}>` },
      { role: OTHER, level: 20 },
    ],
    LEVEL_ROLES,
  ],
  ['an object by the first column', 'levelRoles', { 5: ROLE, 20: OTHER }, LEVEL_ROLES],
  ['pairs', 'levelRoles', Object.entries({ 5: ROLE, 20: OTHER }), LEVEL_ROLES],
  ['one row', 'levelRoles', { level: 5, role: ROLE }, LEVEL_ROLES.slice(0, 1)],
  ['a text of JSON', 'levelRoles', JSON.stringify({ 5: ROLE, 20: { role: OTHER } }), LEVEL_ROLES],
  ['no rows', 'levelRoles', [], []],
  ['no names', 'levelRoles', {}, []],
  [
    'an object of objects',
    'warns',
    { 3: { action: 'MUTE', minutes: 60 }, 5: { action: 'ban' } },
    [
      { at: 3, action: 'mute', minutes: 60 },
      { at: 5, action: 'ban', minutes: 0 },
    ],
  ],
  ['an object of arrays', 'warns', { 3: ['mute', '60'] }, [{ at: 3, action: 'mute', minutes: 60 }]],
  [
    'an object of texts',
    'replies',
    { hi: 'Hello', trigger: 'x' },
    [
      { trigger: 'hi', reply: 'Hello' },
      { trigger: 'trigger', reply: 'x' },
    ],
  ],
])('the rows of a table may be %s', (_what, field, value, rows) => {
  expect(convertFor(field, value)).toEqual(rows);
});

test.each<[string, unknown, string]>([
  ['xpRate', 1.5, 'custom.xpRate: expected an integer, received 1.5'],
  ['xpRate', 'many', 'expected an integer, received "many"'],
  ['xpRate', '9007199254740993', 'expected an integer, received "9007199254740993"'],
  ['xpRate', true, 'expected an integer, received true'],
  ['boost', '1,5', 'expected a number, received "1,5"'],
  ['boost', '150%', 'expected a number, received "150%"'],
  ['boost', { value: 1.5 }, 'expected a number, received {"value":1.5}'],
  ['cooldown', '10 fortnights', 'expected seconds, or a duration such as 10m or 1h 30m, received "10 fortnights"'],
  ['cooldown', '1h 30', 'received "1h 30"'],
  ['cooldown', '1.500', 'received "1.500"'],
  ['cooldown', '1,500', 'received "1,500"'],
  ['cooldown', '', 'received ""'],
  ['logLevel', 'some', 'expected one of off, all or its name, received "some"'],
  ['side', 'SAME', 'received "SAME"'],
  ['logLevels', ['joins', 'some'], 'custom.logLevels.1: expected one of joins, leaves or its name, received "some"'],
  ['muteRole', '<#381870553235193857>', 'expected the id or the mention of a role, received "<#381870553235193857>"'],
  ['autoRoles', [ROLE, 'Member'], 'custom.autoRoles.1: expected the id or the mention of a role, received "Member"'],
  ['muteRole', 381870553235193860, 'the number 381870553235193860, whose last digits may be lost: ids must be strings'],
  ['autoRoles', [381870553235193860], 'received the number 381870553235193860, whose last digits may be lost'],
  ['autoRoles', true, 'expected a list: an array, a text with commas, or an object of true and false, received true'],
  ['owner', 'Olga#0001', 'expected the id or the mention of a user, received "Olga#0001"'],
  ['owner', '<@&381870553235193857>', 'received "<@&381870553235193857>"'],
  ['owner', { id: ROLE, username: 'olga' }, 'received {"id":"381870553235193857","username":"olga"}'],
  [
    'zone',
    'Mars/Phobos',
    'expected the IANA name of a time zone, such as Europe/Berlin or UTC, received "Mars/Phobos"',
  ],
  ['zone', 5.5, 'received 5.5'],
  ['zone', 'IST', 'custom.zone: expected one meaning, such as Asia/Kolkata or '],
  ['opens', '24:00', 'expected a time of day as HH:MM, from 00:00 to 23:59, received "24:00"'],
  ['opens', '21:30:15', 'received "21:30:15"'],
  ['opens', 1_290, 'received 1290'],
  ['accent', 16_777_216, 'expected an RGB color as #RRGGBB, such as #5865F2, received 16777216'],
  ['accent', '123456', 'expected one meaning, such as #123456 or #01E240, received "123456"'],
  ['accent', '255', 'expected one meaning, such as #255 or #0000FF, received "255"'],
  ['accent', { r: 88, g: 101, b: 242, a: 0.5 }, 'received {"r":88,"g":101,"b":242,"a":0.5}'],
  ['accent', [88, 101, 256], 'received [88,101,256]'],
  ['accent', '', 'received ""'],
  [
    'star',
    ':yes:',
    'expected a Unicode emoji, a custom emoji as <:name:id>, or an empty string for none, received ":yes:"',
  ],
  ['star', ROLE, 'received "381870553235193857"'],
  ['star', { id: 381870553235193860, name: 'yes' }, 'expected a Unicode emoji'],
  ['levelRoles', 5, 'expected rows: an array of objects, or an object with a row for each name, received 5'],
  ['levelRoles', { 5: 'Member', 20: OTHER }, 'custom.levelRoles.5.role: expected the id or the mention of a role'],
  ['levelRoles', { five: ROLE }, 'custom.levelRoles.five.level: expected an integer, received "five"'],
  [
    'levelRoles',
    { 5: { level: 6, role: ROLE } },
    'custom.levelRoles.5: expected the same level as the name of the row',
  ],
  ['levelRoles', [{ role: ROLE }], 'custom.levelRoles.0.level: expected a value, received nothing'],
  ['levelRoles', [[5, ROLE, 'x']], 'custom.levelRoles.0: expected an object with level, role, received [5,'],
  [
    'warns',
    [{ at: 3, action: 'kick', minutes: 'long' }, null],
    'custom.warns.1: expected an object with at, action, minutes, received null',
  ],
  [
    'warns',
    [{ at: 3, action: 'kick', minutes: 'long' }],
    'custom.warns.0.action: expected one of mute, ban or its name, received "kick"; ' +
      'custom.warns.0.minutes: expected an integer, received "long"',
  ],
])('%s: %j is refused, not guessed', (field, value, message) => {
  expect(convertFor(field, value)).toContain(message);
});
