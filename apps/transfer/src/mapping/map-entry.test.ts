import { DeclaredSettings } from '@guild-settings/contract';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../sources/source.ts';
import { mapEntry } from './map-entry.ts';
import { type Mapping, mappingOf, parseFieldMap, parseKeyPattern } from './mapping.ts';
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
  },
});

interface Given {
  readonly map?: string;
  readonly key?: string;
  readonly guild?: string;
  readonly value?: string;
  readonly emptyPrefix?: EmptyPrefix;
}

function mapping({ map, key = '{guild}', guild, value, emptyPrefix = 'refuse' }: Given = {}): Mapping {
  const keys = parseKeyPattern(key);
  const replacement = value === undefined ? undefined : parseReplacement(value);
  if (keys === undefined) throw new Error(`${key} is no pattern`);
  const given = {
    paths: map === undefined ? [] : (parseFieldMap(map) ?? []),
    guildPath: guild,
    keys,
    replacements: replacement === undefined ? [] : [replacement],
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
        { field: 'custom.xpRate', value: 101, problem: 'custom.xpRate: expected at most 100' },
      ],
    });
  });
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
