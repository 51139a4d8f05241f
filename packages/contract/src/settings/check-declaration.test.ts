import { describe, expect, test } from 'vitest';
import { checkDeclaration } from './check-declaration.ts';
import { defineSettings } from './declaration.ts';
import { SPECIFIED } from './specified.ts';

const SPECIFIED_NAMES = Object.keys(SPECIFIED);

const label = { 'en-US': 'A label' };

/** Returns the flaws of a declaration as lines: pointer and message. */
function flawsIn(data: unknown): string[] {
  const { flaws = [] } = checkDeclaration(data);
  return flaws.map(({ pointer, message }) => `${pointer}: ${message}`);
}

const EXAMPLE = defineSettings({
  groups: { welcome: { label: { 'en-US': 'Welcome', ja: 'ようこそ' }, enabledBy: 'welcomeOn' } },
  settings: {
    welcomeOn: { kind: 'switch', default: false, group: 'welcome', label: { 'en-US': 'Welcome new members' } },
    welcomeMessage: {
      kind: 'text',
      lines: 'many',
      max: 2_000,
      default: 'Welcome, {user}!\nRead the rules.',
      group: 'welcome',
      label,
      description: { ja: '説明' },
    },
    modLogChannel: { kind: 'channel', types: ['text', 'announcement'], label },
    autoRoles: { kind: 'role', many: { max: 10 }, label },
    xpRate: { kind: 'integer', min: 0, max: 100, default: 5, unit: '%', label },
    cooldown: { kind: 'duration', min: 0, max: 86_400, default: 60, label },
    logLevel: { kind: 'choice', choices: { off: label, all: label }, default: 'off', label },
    premium: { kind: 'switch', default: false, setBy: 'application', label },
    words: { kind: 'text', max: 100, many: { max: 25 }, default: ['a', 'b'], label },
    levels: { kind: 'choice', choices: { off: label, all: label }, many: { max: 2 }, label },
  },
  features: { music: { label, description: label }, 'games/chess': { label } },
  defaults: { prefix: '?', language: 'ja', enabledFeatures: ['music', 'unknown to us'] },
});

describe('a declaration without flaws', () => {
  test('is returned as it was given, with settings in their order', () => {
    const { declaration } = checkDeclaration(EXAMPLE);
    expect(declaration).toEqual(EXAMPLE);
    expect(Object.keys(declaration?.settings ?? {})).toEqual(Object.keys(EXAMPLE.settings));
  });

  test('becomes plain data, with the fields of a setting in one order and without those that are undefined', () => {
    const xpRate = { label, max: 9, default: 1, unit: undefined, min: 0, kind: 'integer' };
    const other = { min: 0, label, default: 1, kind: 'integer', max: 9 };
    const [one, two] = [xpRate, other].map((setting) => checkDeclaration({ settings: { xpRate: setting } }));
    expect(one).toStrictEqual(two);
    expect(JSON.stringify(one)).toBe(JSON.stringify(two));
  });

  test.each([{}, { settings: {} }, { features: {} }, { defaults: {} }, { groups: {} }])('may be %j', (data) => {
    expect(checkDeclaration(data)).toStrictEqual({ declaration: data });
  });
});

test.each([
  [null, 'null'],
  [[], 'an array'],
  ['settings', '"settings"'],
  [undefined, 'nothing'],
])('%j is not a declaration', (data, received) => {
  expect(flawsIn(data)).toEqual([`: expected an object, received ${received}`]);
});

test('all flaws are named at once, each with its path, also those of several settings', () => {
  const data = {
    colour: 1,
    groups: { welcome: { label: {}, icon: 'x' } },
    settings: {
      'x-y': { kind: 'switch', label },
      prefix: { kind: 'switch', label },
      toString: { kind: 'switch', label },
      many: { kind: 'map', label: { xx: 'x' }, group: 'nowhere' },
      xpRate: { kind: 'integer', min: 10, max: 1.5, label: 7, default: 'x', setBy: 'bot' },
      none: null,
    },
    features: { 'a\u200b': { label } },
    defaults: { prefix: '', beta: 1, name: 'x', language: 'de', enabledFeatures: ['a', 'a', ''] },
  };
  expect(flawsIn(data)).toEqual([
    `/defaults/name: unknown field; expected one of ${SPECIFIED_NAMES.join(', ')}`,
    '/colour: unknown field; expected one of groups, settings, features, defaults',
    '/settings/x-y: expected a lower-case letter from a to z, then at most 31 letters, digits and underscores',
    '/settings/prefix: expected another name: guilds already have a field with this name',
    '/settings/toString: expected another name: every object has a property with this name',
    '/settings/many/kind: expected one of switch, integer, number, duration, time, timeZone, choice, text, color, emoji, channel, role, user, table, received "map"',
    expect.stringMatching(/^\/settings\/many\/label\/xx: unknown field; expected one of en-US, .*, zh-TW$/),
    "/settings/many/label: expected text in at least one of Discord's languages, such as en-US, hi, ru, ja, es-ES",
    '/settings/many/group: expected a declared group: welcome, received "nowhere"',
    '/settings/xpRate/max: expected an integer, received 1.5',
    '/settings/xpRate/label: expected an object, received 7',
    '/settings/xpRate/setBy: expected application, received "bot"',
    '/settings/none: expected an object with kind and label, received null',
    "/groups/welcome/label: expected text in at least one of Discord's languages, such as en-US, hi, ru, ja, es-ES",
    '/groups/welcome/icon: unknown field; expected one of label, description, enabledBy',
    '/features/a\u200b: expected no invisible characters except in emoji and between letters that they join, received U+200B',
    '/defaults/beta: expected true or false, received 1',
    '/defaults/language: expected one of en-US, hi, ru, ja, es-ES, received "de"',
    '/defaults/enabledFeatures/2: expected at least 1 character, received 0',
    '/defaults/enabledFeatures: expected each item once',
  ]);
});

test.each([
  ...SPECIFIED_NAMES,
  ...['id', 'name', 'icon', 'custom', 'presence', 'constructor', 'valueOf', 'hasOwnProperty', '__proto__'],
  ...['', 'A', '1a', 'a b', 'ä', `a${'b'.repeat(32)}`],
])('%j is not a name of a setting', (name) => {
  const settings = Object.fromEntries([[name, { kind: 'switch', label }]]);
  expect(flawsIn({ settings })).toHaveLength(1);
});

describe('the switch of a group', () => {
  const group = (enabledBy: string) => ({ label, enabledBy });

  test('is a declared switch', () => {
    const settings = { role: { kind: 'role', label } };
    expect(flawsIn({ settings, groups: { a: group('role'), b: group('x'), c: group('toString') } })).toEqual([
      '/groups/a/enabledBy: expected the name of a declared switch, received "role"',
      '/groups/b/enabledBy: expected the name of a declared switch, received "x"',
      '/groups/c/enabledBy: expected the name of a declared switch, received "toString"',
    ]);
  });

  test('may be in the group, in another one or in none, and may be the switch of several groups', () => {
    const settings = {
      own: { kind: 'switch', group: 'a', label },
      none: { kind: 'switch', label },
    };
    expect(flawsIn({ settings, groups: { a: group('own'), b: group('own'), c: group('none') } })).toEqual([]);
  });

  test('is not in a group that is enabled from within this one', () => {
    const settings = {
      one: { kind: 'switch', group: 'b', label },
      two: { kind: 'switch', group: 'a', label },
      three: { kind: 'switch', group: 'a', label },
    };
    expect(flawsIn({ settings, groups: { a: group('one'), b: group('two'), c: group('three') } })).toEqual([
      expect.stringMatching('^/groups/a/enabledBy: expected a switch that does not depend on this group'),
      expect.stringMatching('^/groups/b/enabledBy: expected a switch that does not depend on this group'),
    ]);
  });
});

test('a group that is not declared is named, with those that are', () => {
  const settings = { x: { kind: 'switch', group: 'c', label } };
  expect(flawsIn({ settings, groups: { a: { label }, b: { label } } })).toEqual([
    '/settings/x/group: expected a declared group: one of a, b, received "c"',
  ]);
  expect(flawsIn({ settings })).toEqual([
    '/settings/x/group: expected a group, of which none is declared, received "c"',
  ]);
});

test('there are at most 200 settings, 25 groups and 64 features', () => {
  const members = (count: number, member: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, member]));
  const declared = (more: number) => ({
    groups: members(25 + more, { label }),
    settings: members(200 + more, { kind: 'switch', label }),
    features: members(64 + more, { label }),
  });
  expect(flawsIn(declared(0))).toEqual([]);
  expect(flawsIn(declared(1))).toEqual([
    '/settings: expected at most 200 settings, received 201',
    '/groups: expected at most 25 groups, received 26',
    '/features: expected at most 64 features, received 65',
  ]);
});

test('records that could be larger than 64 KiB are refused, with by how much and the largest settings', () => {
  const text = (max: number) => ({ kind: 'text', max, label });
  const settings = { a: text(2_000), b: text(2_000), c: text(2_000), d: text(2_000), e: text(2_000), f: text(2_000) };
  expect(flawsIn({ settings: { ...settings, small: text(1_500) } })).toEqual([
    expect.stringMatching(
      /^\/settings: expected records of at most 65536 bytes, .* one has (\d+): lower max .* by \d+ bytes in total\. The largest are a \(8002\), b \(8002\), c \(8002\), d \(8002\), e \(8002\)$/,
    ),
  ]);
});

test('a former name is one that a setting may have, that no setting has now, and that no other had', () => {
  const role = { kind: 'role', label };
  const settings = {
    a: { ...role, was: ['b', 'old', 'old', 'prefix', 7] },
    b: { ...role, was: 'a' },
    c: { ...role, was: 'x-y' },
    d: { ...role, was: 'd' },
    e: { ...role, was: ['f', 'g'] },
    h: { ...role, was: 'g' },
    i: { ...role, was: [] },
    j: { ...role, was: ['first', 'second'] },
  };
  const now = (name: string) => `expected a name that no setting has now, received "${name}"`;
  const other = (name: string) =>
    `expected a name that no other setting had, received "g", which is also a former name of ${name}`;
  expect(flawsIn({ settings }).toSorted()).toEqual([
    `/settings/a/was/0: ${now('b')}`,
    '/settings/a/was/2: expected each name once',
    '/settings/a/was/3: expected another name: guilds already have a field with this name',
    '/settings/a/was: expected a former name, or an array of them',
    `/settings/b/was: ${now('a')}`,
    '/settings/c/was: expected a lower-case letter from a to z, then at most 31 letters, digits and underscores',
    `/settings/d/was: ${now('d')}`,
    `/settings/e/was/1: ${other('h')}`,
    `/settings/h/was: ${other('e')}`,
    '/settings/i/was: expected at least 1 item, received 0',
  ]);
  expect(flawsIn({ settings: { j: settings.j } })).toEqual([]);
});

test('the zone of a time, and the switch of a group, are settings by their present names', () => {
  const zone = { kind: 'timeZone', label, was: 'oldZone' };
  const time = (name: unknown) => ({ kind: 'time', zone: name, default: '07:00', label });
  const on = { kind: 'switch', label, was: 'oldOn' };
  const table = { kind: 'table', max: 2, columns: { at: time('zone'), until: time('oldZone') }, label };
  const settings = { zone, on, one: time('zone'), two: time('oldZone'), three: time('on'), table };
  const expected = 'expected the name of a declared setting of the kind timeZone, received';
  expect(flawsIn({ settings, groups: { g: { label, enabledBy: 'oldOn' } } }).toSorted()).toEqual([
    '/groups/g/enabledBy: expected the name of a declared switch, received "oldOn"',
    expect.stringMatching('/settings/table/columns/at/default|/settings/table/columns/until/zone'),
    `/settings/three/zone: ${expected} "on"`,
    `/settings/two/zone: ${expected} "oldZone"`,
  ]);
});

test('the rows of a default have the cells that a request needs, and no others', () => {
  const columns = { at: { kind: 'integer', min: 0, max: 9, label }, reply: { kind: 'text', max: 2, label } };
  const table = { kind: 'table', max: 2, columns, key: ['at'], label };
  const rows = [{ at: 1 }, { reply: 'long', more: 1 }, { at: 1, reply: 7 }];
  expect(flawsIn({ settings: { table: { ...table, default: [{ at: 1 }, { at: 2, reply: 'Hi' }] } } })).toEqual([]);
  expect(flawsIn({ settings: { table: { ...table, default: rows } } })).toEqual([
    '/settings/table/default: expected an array of rows, which are objects, received an array',
  ]);
  expect(flawsIn({ settings: { table: { ...table, default: rows.slice(0, 2) } } }).toSorted()).toEqual([
    '/settings/table/default/1/at: expected a value, required by the column, received nothing',
    expect.stringMatching('^/settings/table/default/1/more: expected the columns of the table'),
    expect.stringMatching('^/settings/table/default/1/reply: expected at most 2 characters'),
  ]);
  expect(flawsIn({ settings: { table: { ...table, default: [{ at: 1 }, { at: 1 }] } } })).toEqual([
    '/settings/table/default/1/at: expected another at than in a row above, received 1',
  ]);
});
