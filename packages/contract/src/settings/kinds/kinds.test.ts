import { describe, expect, test } from 'vitest';
import type { Declaration } from '../declaration.ts';
import { DeclaredSettings } from '../declared-settings.ts';
import { fits, flawsOf, inEffect, isSameValue, listDifference, maxBytes, type Setting, stored } from '../setting.ts';
import type { SettingValue } from '../setting-declaration.ts';

const label = { 'en-US': 'A label' };

function settingOf(declared: object): Setting {
  const settings = { one: { ...declared, label } } as unknown as Declaration['settings'];
  const [setting] = new DeclaredSettings({ ...(settings && { settings }) }).custom ?? [];
  if (setting === undefined) throw new Error('Expected a setting');
  return setting;
}

/** Returns the keys of the flaws; `type`: the value has another type. */
function flawsIn(setting: Setting, value: unknown): string[] {
  return fits(setting, value) ? flawsOf(setting, value).map(({ key }) => key) : ['type'];
}

const rate = settingOf({ kind: 'number', min: -10, max: 100, decimals: 2, default: 1 });
const time = settingOf({ kind: 'time', default: '09:00' });
const zone = settingOf({ kind: 'timeZone' });
const color = settingOf({ kind: 'color', default: '#5865F2' });
const emoji = settingOf({ kind: 'emoji' });
const emojis = settingOf({ kind: 'emoji', many: { max: 3 } });
const user = settingOf({ kind: 'user' });
const text = settingOf({ kind: 'text', max: 50, placeholders: { user: label, count: label } });
const table = settingOf({
  kind: 'table',
  max: 3,
  key: ['level'],
  columns: {
    level: { kind: 'integer', min: 1, max: 99, label },
    role: { kind: 'role', label },
    factor: { kind: 'number', min: 0, max: 9, decimals: 1, default: 1.5, label },
  },
});

const ROLE = '1300000000000000001';

test.each<[Setting, unknown, string[]]>([
  [rate, 1.5, []],
  [rate, 0.1, []],
  [rate, -0.01, []],
  [rate, 100, []],
  [rate, 0.1 + 0.2, ['decimals']],
  [rate, 1.005, ['decimals']],
  [rate, 1e-7, ['decimals']],
  [rate, 100.01, ['tooLarge']],
  [rate, Number.NaN, ['type']],
  [rate, Number.POSITIVE_INFINITY, ['type']],
  [rate, '1.5', ['type']],
  [time, '00:00', []],
  [time, '23:59', []],
  [time, '24:00', ['notTime']],
  [time, '9:00', ['notTime']],
  [time, '09:00:00', ['notTime']],
  [zone, 'Europe/Berlin', []],
  [zone, 'Asia/Calcutta', []],
  [zone, 'Asia/Kolkata', []],
  [zone, 'europe/berlin', []],
  [zone, 'UTC', []],
  [zone, 'Mars/Phobos', ['notTimeZone']],
  [zone, 'IST', ['notTimeZone']],
  [zone, '+02:00', ['notTimeZone']],
  [zone, '', ['notTimeZone']],
  [color, '#5865F2', []],
  [color, '#5865f2', []],
  [color, '5865F2', ['notColor']],
  [color, '#58F', ['notColor']],
  [color, 'blurple', ['notColor']],
  [color, '', ['notColor']],
  [emoji, '', []],
  [emoji, '👋', []],
  [emoji, '👋🏽', []],
  [emoji, '👨‍👩‍👧‍👦', []],
  [emoji, '🏴󠁧󠁢󠁥󠁮󠁧󠁿', []],
  [emoji, '❤️', []],
  [emoji, '❤', []],
  [emoji, '<:wave:1300000000000000001>', []],
  [emoji, '<a:wave:1300000000000000001>', []],
  [emoji, '<:_:1300000000000000001>', []],
  [emoji, '<::1300000000000000001>', ['notEmoji']],
  [emoji, '👋👋', ['notEmoji']],
  [emoji, ':wave:', ['notEmoji']],
  [emoji, 'a', ['notEmoji']],
  [emoji, '5', ['notEmoji']],
  [user, '', []],
  [user, '80351110224678912', []],
  [user, '<@80351110224678912>', ['notId']],
  [text, 'Hi {user}, member {count} { } {}', []],
  [text, 'Hi {usr} and {User}', ['unknownPlaceholder', 'unknownPlaceholder']],
  [text, 'Hi {имя}', ['unknownPlaceholder']],
  [table, [], []],
  [table, [{ level: 5, role: ROLE, factor: 2.5 }], []],
  [table, [{ level: 5 }], []],
  [table, [{ level: 0, role: 'x', factor: 1.25 }], ['tooSmall', 'notId', 'decimals']],
  [table, [{ level: 5, other: 1 }], ['unknownColumn']],
  [table, [{ level: 5 }, { level: 6 }, { level: 5 }], ['sameKey']],
  [table, [{ level: '5' }], ['type']],
  [table, [5], ['type']],
  [table, [null], ['type']],
  [table, { level: 5 }, ['type']],
])('%# the value %j has the flaws %j', (setting, value, flaws) => {
  expect(flawsIn(setting as Setting, value)).toEqual(flaws);
});

test('a flaw of a table names its row and its column', () => {
  const rows = [{ level: 5 }, { level: 100, role: ROLE }, { level: 5 }, { level: 7 }];
  expect(flawsOf(table, rows as unknown as SettingValue)).toMatchObject([
    { key: 'tooLarge', at: 1, column: 'level' },
    { key: 'sameKey', at: 2, column: 'level' },
    { key: 'tooMany', of: 'row' },
  ]);
});

test('rows have the same key where their cells are stored as the same', () => {
  const columns = { color: { kind: 'color', default: '#58F0AA', label }, zone: { kind: 'timeZone', label } };
  const keyed = settingOf({ kind: 'table', max: 3, key: ['color', 'zone'], columns });
  expect(flawsIn(keyed, [{}, { color: '#58f0aa', zone: 'utc' }])).toEqual(['sameKey']);
  expect(flawsIn(keyed, [{}, { zone: 'Asia/Tokyo' }])).toEqual([]);
});

test('of a list that is too long, the items beyond are not looked at, and of a text the placeholders', () => {
  const rows = Array.from({ length: 10_000 }, () => ({ level: 0 }));
  expect(flawsIn(table, rows)).toEqual(['tooSmall', 'tooSmall', 'tooSmall', 'sameKey', 'sameKey', 'tooMany']);
  expect(flawsIn(text, '{usr}'.repeat(11))).toEqual(['tooLong']);
});

describe('a value is stored', () => {
  test.each<[string, Setting, SettingValue, SettingValue]>([
    ['with the capitals of a color', color, '#58f0aa', '#58F0AA'],
    ['with the usual capitals of a zone', zone, 'europe/berlin', 'Europe/Berlin'],
    [
      'with emoji of one id once',
      emojis,
      ['<:a1:1300000000000000001>', '<:b2:1300000000000000001>', '👋', '👋'],
      ['<:a1:1300000000000000001>', '👋'],
    ],
    ['with a cell for each column', table, [{ level: 5 }], [{ level: 5, role: '', factor: 1.5 }]],
    ['without the sign of minus zero', rate, -0, 0],
  ])('%s', (_, setting, value, expected) => {
    expect(stored(setting, value)).toStrictEqual(expected);
  });
});

describe('the value in effect of a stored one is', () => {
  const roles = settingOf({ kind: 'role', many: { max: 3 } });
  test.each<[string, Setting, unknown, unknown]>([
    ['itself', rate, 1.5, 1.5],
    ['the only item of a list that was one value', roles, ROLE, [ROLE]],
    ['an empty list where the value was none', roles, '', []],
    ['an integer where the setting was one', rate, 7, 7],
    ['a row with the columns of now', table, [{ level: 5, old: 'x' }], [{ level: 5, role: '', factor: 1.5 }]],
    ['none where it is of another type', rate, 'fast', undefined],
    ['none where a list has become one value', emoji, ['👋'], undefined],
    ['none where a cell is of another type', table, [{ level: 'five' }], undefined],
  ])('%s', (_, setting, value, expected) => {
    expect(inEffect(setting, value)).toStrictEqual(expected);
  });
});

test('rows are the same by their cells, whatever their order, and emoji of the guild by their ids', () => {
  expect(isSameValue([{ level: 5, role: '' }], [{ role: '', level: 5 }])).toBe(true);
  expect(isSameValue([{ level: 5, role: '' }], [{ level: 5 }])).toBe(false);
  const [one, other] = ['<:a1:1300000000000000001>', '<a:b2:1300000000000000001>'];
  expect(isSameValue(one, other, emoji)).toBe(true);
  expect(isSameValue([one], [other], emojis)).toBe(true);
  expect(isSameValue(one, other, text)).toBe(false);
  const replies = settingOf({ kind: 'table', max: 3, columns: { reaction: { kind: 'emoji', label } } });
  expect(isSameValue([{ reaction: one }], [{ reaction: other }], replies)).toBe(true);
  expect(isSameValue([{ reaction: one }], [{ reaction: '👋' }], replies)).toBe(false);
  expect(listDifference([{ level: 5 }, { level: 6 }], [{ level: 6 }, { level: 7 }])).toEqual({
    added: [{ level: 7 }],
    removed: [{ level: 5 }],
  });
});

test('no value is longer than the longest one', () => {
  const longest: [Setting, SettingValue][] = [
    [rate, -9.99],
    [zone, 'America/Argentina/ComodRivadavia'],
    [color, '#FFFFFF'],
    [time, '23:59'],
    [emoji, `<a:${'x'.repeat(32)}:12345678901234567890>`],
    [emoji, '👩🏽‍❤️‍💋‍👨🏿'],
    [user, '12345678901234567890'],
    [table, Array(3).fill({ level: 99, role: '12345678901234567890', factor: 9.9 })],
  ];
  for (const [setting, value] of longest) {
    expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(maxBytes(setting));
  }
});

test('a table with a column of a kind that this version does not know is not known', () => {
  const columns = { level: { kind: 'integer', min: 1, max: 9, label }, sky: { kind: 'sky', label } };
  const declared = new DeclaredSettings({ settings: { t: { kind: 'table', max: 2, columns, label } as never } });
  expect(declared.unknown).toEqual(['t']);
});
