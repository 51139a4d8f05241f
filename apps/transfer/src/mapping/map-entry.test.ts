import { DeclaredSettings } from '@guild-settings/contract';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../sources/source.ts';
import { mapEntry } from './map-entry.ts';
import { type Mapping, mappingOf, parseFieldMap, parseKeyPattern } from './mapping.ts';
import { parseScale } from './scale.ts';
import { type EmptyPrefix, parseReplacement } from './take-value.ts';

const GUILD = '197038439483310086';
const CHANNEL = '381870553235193857';

const RU = { language: 'ru' };
const JA = { language: 'ja' };

const label = { 'en-US': 'A setting' };

const DECLARED = new DeclaredSettings({
  settings: {
    welcomeMessage: { kind: 'text', lines: 'many', max: 20, label },
    welcomeChannel: { kind: 'channel', label },
    autoRoles: { kind: 'role', many: { max: 2 }, label },
    xpRate: { kind: 'integer', min: 0, max: 100, default: 5, label },
    mutedRole: { kind: 'role', was: ['muteRole', 'silentRole'], label },
    warns: {
      kind: 'table',
      max: 3,
      columns: {
        at: { kind: 'integer', min: 1, max: 10, label },
        action: { kind: 'choice', choices: { mute: {}, ban: {} }, label },
        minutes: { kind: 'number', min: 0, max: 100, decimals: 1, default: 0, label },
      },
      key: ['at'],
      label,
    },
  },
});

interface Given {
  readonly map?: string;
  readonly key?: string;
  readonly guild?: string;
  readonly value?: string;
  readonly scale?: string;
  readonly emptyPrefix?: EmptyPrefix;
}

function mapping({ map, key = '{guild}', guild, value, scale, emptyPrefix = 'refuse' }: Given = {}): Mapping {
  const keys = parseKeyPattern(key);
  const replacement = value === undefined ? undefined : parseReplacement(value);
  if (keys === undefined) throw new Error(`${key} is no pattern`);
  const given = {
    paths: map === undefined ? [] : (parseFieldMap(map) ?? []),
    guildPath: guild,
    keys,
    replacements: replacement === undefined ? [] : [replacement],
    scales: scale === undefined ? [] : [parseScale(scale) ?? expect.fail(`${scale} is no scale`)],
    emptyPrefix,
  };
  return mappingOf(given, DECLARED);
}

const taken = (settings: object) => ({ is: 'guild', guild: GUILD, settings, refused: [] });

/** Maps a row, without the names that are not mapped. */
function map(entry: Entry, given: Given = {}): object {
  const { unmapped: _unmapped, ...mapped } = { unmapped: [], ...mapEntry(entry, mapping(given)) };
  return mapped;
}

describe('the settings of a guild', () => {
  test.each<[string, Given, string | undefined, unknown, object]>([
    ['are those at the paths', { map: 'language=i18n.lang' }, GUILD, { i18n: { lang: 'ru' } }, { language: 'ru' }],
    ['have their own names unless mapped', {}, GUILD, { prefix: '?', beta: 'on', xp: 5 }, { prefix: '?', beta: true }],
    ['are the whole value', { map: 'prefix=.' }, GUILD, '?', { prefix: '?' }],
    ['are in a column with dots', { map: 'beta=a.b', guild: 'id' }, undefined, { id: GUILD, 'a.b': 1 }, { beta: true }],
    ['are under a key with other text', { map: 'beta=.', key: 'c[{guild}].b' }, `c[${GUILD}].b`, 1, { beta: true }],
    ['are under keys of fields', { map: 'beta=b', key: '{field}_{guild}' }, `b_${GUILD}`, 'yes', { beta: true }],
    ['may lack a value, and stay as they are', { map: 'prefix=p,beta=b' }, GUILD, { p: '?', b: null }, { prefix: '?' }],
    ['may be replaced', { map: 'language=l', value: 'language:de=en-US' }, GUILD, { l: 'de' }, { language: 'en-US' }],
    ['may be replaced by *, when they are not converted', { value: 'language:*=ru' }, GUILD, { language: 'de' }, RU],
    ['may be replaced by *, whatever they are', { value: 'language:*=ru' }, GUILD, { language: { code: 'de' } }, RU],
    [
      'may be replaced by *, beyond the limits',
      { value: 'prefix:*=!' },
      GUILD,
      { prefix: 'p'.repeat(21) },
      { prefix: '!' },
    ],
    ['are not replaced by *, when they are converted', { value: 'language:*=ru' }, GUILD, { language: 'Japanese' }, JA],
    ['may be the text *, and replaced', { value: 'prefix:\\*=?' }, GUILD, { prefix: '*' }, { prefix: '?' }],
    ['may be an empty prefix', { emptyPrefix: 'off' }, GUILD, { prefix: '' }, { prefix: '' }],
    ['may lack a prefix that is empty', { emptyPrefix: 'default' }, GUILD, { prefix: '', beta: 1 }, { beta: true }],
    ['may have an empty prefix replaced', { value: 'prefix:=?' }, GUILD, { prefix: '' }, { prefix: '?' }],
  ])('%s', (_name, given, key, value, settings) => {
    expect(map({ place: 'line 1', key, value }, given)).toEqual(taken(settings));
  });
});

describe('settings that a team has declared', () => {
  test('are named with or without custom, and arrays and their elements are sources', () => {
    const paths = 'welcomeMessage=welcome.message,custom.welcomeChannel=welcome.channels.1,autoRoles=roles';
    const roles = [CHANNEL, `<@&${GUILD}>`];
    const value = { welcome: { message: 'Hi\nthere', channels: ['general', `<#${CHANNEL}>`] }, roles };
    expect(map({ place: 'line 1', key: GUILD, value }, { map: paths })).toEqual(
      taken({
        'custom.welcomeMessage': 'Hi\nthere',
        'custom.welcomeChannel': CHANNEL,
        'custom.autoRoles': [CHANNEL, GUILD],
      }),
    );
  });

  test('have their own names unless mapped, and are replaced as others are', () => {
    const value = { xpRate: 'much', welcomeMessage: '-', prefix: '?' };
    expect(map({ place: 'line 1', key: GUILD, value }, { value: 'xpRate:much=100' })).toEqual(
      taken({ prefix: '?', 'custom.xpRate': 100, 'custom.welcomeMessage': '-' }),
    );
    expect(map({ place: 'line 1', key: GUILD, value }, { value: 'custom.welcomeMessage:-=' })).toMatchObject({
      settings: { 'custom.welcomeMessage': '' },
    });
  });

  test('are refused beyond their limits, and the others of the row are taken', () => {
    const value = {
      xpRate: 101,
      welcomeMessage: 'long '.repeat(5),
      autoRoles: [GUILD, CHANNEL, '1'.repeat(18)],
      beta: 1,
    };
    expect(map({ place: 'line 1', key: GUILD, value })).toEqual({
      ...taken({ beta: true }),
      refused: [
        {
          field: 'custom.welcomeMessage',
          value: value.welcomeMessage,
          problem: 'custom.welcomeMessage: expected at most 20 characters, received 25',
        },
        {
          field: 'custom.autoRoles',
          value: value.autoRoles,
          problem: 'custom.autoRoles: expected at most 2 items',
        },
        { field: 'custom.xpRate', value: 101, problem: 'custom.xpRate: expected at most 100, received 101' },
      ],
    });
  });
});

describe('a table', () => {
  const inRow = (warns: unknown, given: Given = {}) => map({ place: 'line 1', key: GUILD, value: { warns } }, given);

  test('has columns under other names, numbers in another unit and cells that are replaced', () => {
    const given = {
      map: 'warns=warnings,warns.at=count,warns.minutes=for.ms',
      scale: 'warns.minutes=/60000',
      value: 'warns.action:timeout=mute',
    };
    const warnings = [
      { count: '3', action: 'timeout', for: { ms: 90_000 } },
      { count: 5, action: 'ban' },
    ];
    const value = { warnings: JSON.stringify(warnings) };
    expect(map({ place: 'line 1', key: GUILD, value }, given)).toEqual(
      taken({
        'custom.warns': [
          { at: 3, action: 'mute', minutes: 1.5 },
          { at: 5, action: 'ban', minutes: 0 },
        ],
      }),
    );
  });

  test('has its own name where only its columns are mapped, and a value for each cell that cannot be taken', () => {
    const given = { map: 'warns.at=count', value: 'warns.action:*=ban' };
    expect(inRow([{ count: 3, action: 'shout' }], given)).toEqual(
      taken({ 'custom.warns': [{ at: 3, action: 'ban', minutes: 0 }] }),
    );
  });

  test.each<[unknown, string]>([
    [
      [
        { at: 3, action: 'mute' },
        { at: 11, action: 'ban', minutes: 1.55 },
      ],
      'custom.warns.1.at: expected at most 10, received 11; ' +
        'custom.warns.1.minutes: expected at most 1 decimal place, received 1.55',
    ],
    [
      [
        { at: 3, action: 'mute' },
        { at: '3', action: 'ban' },
      ],
      'custom.warns.1.at: expected another at than in a row above, received 3',
    ],
    [{ 1: ['ban', 0], 2: ['ban', 0], 3: ['ban', 0], 4: ['ban', 0] }, 'custom.warns: expected at most 3 rows'],
    [[{ at: 3 }], 'custom.warns.0.action: expected a value, received nothing'],
  ])('of %j is refused whole, with the row and the column', (warns, problem) => {
    expect(inRow(warns)).toEqual({ ...taken({}), refused: [{ field: 'custom.warns', value: warns, problem }] });
  });

  test('has names in its rows that no column takes, which are known', () => {
    const value = {
      warns: [
        { at: 3, action: 'mute', _id: 'a' },
        { at: 4, action: 'ban', by: 'b' },
      ],
    };
    const mapped = mapEntry({ place: 'line 1', key: GUILD, value }, mapping());
    expect([...('unmapped' in mapped ? mapped.unmapped : [])]).toEqual(['warns._id', 'warns.by']);
  });
});

describe('a renamed setting', () => {
  const inRow = (value: object, given: Given = {}) => map({ place: 'line 1', key: GUILD, value }, given);

  test.each([['mutedRole'], ['muteRole'], ['silentRole']])('is taken under its name %s', (name) => {
    const settings = { 'custom.mutedRole': CHANNEL };
    expect(inRow({ [name]: CHANNEL })).toEqual(taken(settings));
    expect(inRow({ r: CHANNEL }, { map: `${name}=r` })).toEqual(taken(settings));
    expect(inRow({ r: 'x' }, { map: `custom.${name}=r`, value: `${name}:x=${CHANNEL}` })).toEqual(taken(settings));
    const document = { version: 1, guild: GUILD, settings: { custom: { [name]: CHANNEL } } };
    expect(mapEntry({ place: 'line 1', value: document }, mapping({ guild: 'guild' }))).toEqual({
      ...taken(settings),
      unmapped: [],
    });
  });

  test('has one value under several names, and two are refused', () => {
    expect(inRow({ mutedRole: CHANNEL, muteRole: `<@&${CHANNEL}>` })).toEqual(taken({ 'custom.mutedRole': CHANNEL }));
    expect(inRow({ mutedRole: CHANNEL, muteRole: GUILD })).toMatchObject({
      settings: { 'custom.mutedRole': CHANNEL },
      refused: [
        {
          field: 'custom.mutedRole',
          value: GUILD,
          problem: 'custom.mutedRole: expected one value for its names, received another one as "muteRole"',
        },
      ],
    });
  });

  test('is checked under a name that it had, in the document of an export', () => {
    const document = { version: 1, guild: GUILD, settings: { prefix: '?', custom: { muteRole: 'x' } } };
    expect(mapEntry({ place: 'line 1', value: document }, mapping({ guild: 'guild' }))).toMatchObject({
      settings: { prefix: '?' },
      refused: [{ field: 'custom.mutedRole', value: 'x' }],
    });
  });
});

describe('numbers in another unit', () => {
  const inRow = (xpRate: unknown, given: Given) => map({ place: 'line 1', key: GUILD, value: { xpRate } }, given);

  test('are calculated with, and what stands behind --value is not', () => {
    expect(inRow(0.07, { scale: 'xpRate=100' })).toEqual(taken({ 'custom.xpRate': 7 }));
    expect(inRow('much', { scale: 'xpRate=100', value: 'xpRate:much=50' })).toEqual(taken({ 'custom.xpRate': 50 }));
  });

  test('are refused where the result has digits that the setting has not', () => {
    expect(inRow(1.555, { scale: 'custom.xpRate=*10' })).toMatchObject({
      settings: {},
      refused: [{ problem: 'custom.xpRate: expected an integer, received 15.55, which is 1.555 * 10' }],
    });
  });

  test('are not in an export, which is taken as it is', () => {
    const value = { version: 1, guild: GUILD, settings: { custom: { xpRate: 5 } } };
    expect(mapEntry({ place: 'line 1', value }, mapping({ guild: 'guild', scale: 'xpRate=100' }))).toMatchObject({
      is: 'rejected',
      problem: expect.stringContaining('--map FIELD=settings.custom.FIELD'),
    });
  });
});

test('a path leads into a text of JSON, whose names are known', () => {
  const entry = { place: 'line 1', key: GUILD, value: { settings: '{"lang":"ru","xp":{"rate":5}}' } };
  const mapped = mapEntry(entry, mapping({ map: 'language=settings.lang' }));
  expect(mapped).toMatchObject(taken({ language: 'ru' }));
  expect([...('unmapped' in mapped ? mapped.unmapped : [])]).toEqual(['settings.xp']);
});

test('a row without a key has the id of its guild as guild, and one with a guild of all bots is about something else', () => {
  expect(map({ place: 'element 1', value: { guild: GUILD, prefix: '?' } })).toEqual(taken({ prefix: '?' }));
  for (const guild of [0, '0', 'global'])
    expect(map({ place: 'element 1', value: { guild, prefix: '?' } })).toEqual({ is: 'other' });
});

test.each<[string, Given, string, unknown]>([
  ['another kind of key', { key: 'settings.{guild}' }, `money.${GUILD}`, {}],
  ['a key without digits in the place of the guild', {}, 'version', 1],
  ['no value at any path', { map: 'prefix=prefx' }, GUILD, { prefix: '?' }],
  ['a field that is not mapped', { map: 'prefix=p', key: '{guild}_{field}' }, `${GUILD}_money`, 5],
])('a row with %s is about something else', (_name, given, key, value) => {
  expect(map({ place: 'line 1', key, value }, given)).toEqual({ is: 'other' });
});

test.each<[string, Given, string | undefined, unknown, string]>([
  ['a wrong guild id', {}, '12345', {}, 'expected a guild id of 17 to 19 digits as text, received "12345"'],
  ['a rounded guild id', { guild: 'g' }, '', { g: 197038439483310080 }, 'whose last digits may be lost'],
  ['no guild id', { guild: 'g' }, undefined, { id: GUILD }, 'at "g" (--guild PATH), received a row with: id'],
  ['a text where an object is expected', { map: 'prefix=p' }, GUILD, '?', '--map FIELD=. takes the whole value'],
])('a row with %s is refused', (_name, given, key, value, problem) => {
  const mapped = mapEntry({ place: 'line 1', key, value }, mapping(given));
  expect(mapped).toMatchObject({ is: 'rejected', problem: expect.stringContaining(problem) });
});

test.each<[string, Given, unknown, string[]]>([
  ['unless they are missing or mapped', { map: 'prefix=p' }, { p: '?', xp: 5, log: null }, ['xp']],
  ['beside the id of the guild', { map: 'prefix=p', guild: 'id' }, { id: GUILD, xp: 5 }, ['xp']],
  ['in objects to which a path leads', { map: 'language=i18n.lang' }, { i18n: { lang: 'ru', zone: 1 } }, ['i18n.zone']],
  ['in no other objects', { map: 'prefix=p' }, { p: '?', i18n: { lang: 'ru', zone: 1 } }, ['i18n']],
  ['but not the elements of an array', { map: 'prefix=p.0' }, { p: ['?', '!'] }, []],
  ['but nothing of a whole value', { map: 'prefix=.' }, { name: 1 }, []],
])('the names of values that are not mapped are known, %s', (_name, given, value, names) => {
  const mapped = mapEntry({ place: 'line 1', key: GUILD, value }, mapping(given));
  expect([...('unmapped' in mapped ? mapped.unmapped : [])]).toEqual(names);
});

test('an empty prefix is refused before somebody has decided what it becomes, also where * replaces what is refused', () => {
  const entry = { place: 'line 1', key: GUILD, value: { prefix: '', beta: true } };
  const problem = 'prefix: expected --empty-prefix default or --empty-prefix off for an empty prefix';
  expect(mapEntry(entry, mapping({ value: 'prefix:*=!' }))).toMatchObject({
    ...taken({ beta: true }),
    refused: [{ field: 'prefix', value: '', problem: expect.stringContaining(problem) }],
  });
  expect(mapEntry(entry, mapping({ emptyPrefix: 'ask' }))).toEqual({ is: 'undecided' });
});

describe('the document of an export', () => {
  const settings = { prefix: '', announcement_channel: 'general', theme: 'dark' };
  const document = { version: 1, guild: GUILD, settings, colour: 'red' };

  test('is taken without conversion, and what is unknown is named', () => {
    expect(mapEntry({ place: 'line 1', value: document }, mapping({ guild: 'guild' }))).toEqual({
      ...taken({ prefix: '', announcement_channel: 'general' }),
      unmapped: ['colour', 'settings.theme'],
    });
  });

  test('has declared settings in custom', () => {
    const custom = { xpRate: 500, welcomeMessage: 'Hi', autoRoles: null, colour: 'red' };
    const mapped = mapEntry(
      { place: 'line 1', value: { ...document, settings: { custom } } },
      mapping({ guild: 'guild' }),
    );
    expect(mapped).toEqual({
      ...taken({ 'custom.welcomeMessage': 'Hi', 'custom.autoRoles': null }),
      refused: [{ field: 'custom.xpRate', value: 500, problem: 'settings.custom.xpRate: expected at most 100' }],
      unmapped: ['colour', 'settings.custom.colour'],
    });
  });

  test('has a value from before its setting became a list, and a table with a row from before a column', () => {
    const custom = { autoRoles: CHANNEL, warns: [{ at: 3, action: 'ban' }] };
    const mapped = mapEntry({ place: 'line 1', value: { ...document, settings: { custom } } }, mapping());
    expect(mapped).toMatchObject(
      taken({ 'custom.autoRoles': [CHANNEL], 'custom.warns': [{ at: 3, action: 'ban', minutes: 0 }] }),
    );
  });

  test('is refused when its custom is no object', () => {
    const value = { ...document, settings: { prefix: '?', custom: 'xpRate' } };
    expect(mapEntry({ place: 'line 1', value }, mapping({ guild: 'guild' }))).toMatchObject({
      is: 'rejected',
      problem: expect.stringContaining('settings.custom: '),
    });
  });

  test('of another version is refused', () => {
    const mapped = mapEntry({ place: 'line 1', value: { ...document, version: 2 } }, mapping({ guild: 'guild' }));
    expect(mapped).toMatchObject({ is: 'rejected', problem: expect.stringContaining('version: expected 1') });
  });
});

test.each(['prefix', 'prefix=', 'prefix=a,,', ''])('%j is no list of fields and paths', (text) => {
  expect(parseFieldMap(text)).toBeUndefined();
});

test.each(['settings', '{guild}{guild}', '{field}', '{guild}{field}{field}'])('%j is no pattern of keys', (text) => {
  expect(parseKeyPattern(text)).toBeUndefined();
});
