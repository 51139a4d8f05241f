import { describe, expect, test } from 'vitest';
import { lackingIn, referencesIn } from './channel-needs.ts';
import { bitOf, botPermissionsText, CHANNEL_PERMISSION_NAMES, type ChannelPermission } from './channel-permissions.ts';
import { settingOf } from './setting.ts';
import type { ChannelDeclaration } from './setting-declaration.ts';

const TYPES = {
  text: 0,
  voice: 2,
  category: 4,
  announcement: 5,
  thread: 11,
  stage: 13,
  forum: 15,
  media: 16,
  later: 99,
};
type TypeName = keyof typeof TYPES;

const bits = (names: readonly ChannelPermission[]) =>
  botPermissionsText(names.reduce((all, name) => all | bitOf(name), 0n));

function settingWith(options: Partial<ChannelDeclaration>, place: 'record' | 'custom' = 'custom') {
  const setting = settingOf(place, 'x', { kind: 'channel', label: { 'en-US': 'X' }, ...options });
  if (setting === undefined) throw new Error('Expected a setting');
  return setting;
}

/** Returns the lacking permissions if the bot has none, or only the given ones. */
const lacking = (options: Partial<ChannelDeclaration>, type: TypeName, may: readonly ChannelPermission[] = []) =>
  lackingIn(settingWith(options), { type: TYPES[type], botPermissions: bits(may) });

describe('without needs', () => {
  test.each<[TypeName, readonly ChannelPermission[]]>([
    ['text', ['ViewChannel', 'SendMessages']],
    ['announcement', ['ViewChannel', 'SendMessages']],
    ['thread', ['ViewChannel', 'SendMessagesInThreads']],
    ['voice', []],
    ['stage', []],
    ['category', []],
    ['forum', []],
    ['media', []],
    ['later', []],
  ])('a team’s setting for one channel needs in a channel of the type %s: %s', (type, needed) => {
    expect(lacking({}, type)).toEqual(needed);
  });

  test.each(Object.keys(TYPES) as TypeName[])('a list of channels of the type %s needs nothing', (type) => {
    expect(lacking({ many: { max: 3 } }, type)).toEqual([]);
  });

  test('the channel of announcements needs Connect for the chat of a voice or stage channel', () => {
    const setting = settingWith({}, 'record');
    const inType = (type: TypeName) => lackingIn(setting, { type: TYPES[type], botPermissions: '0' });
    for (const type of ['voice', 'stage'] as const) {
      expect(inType(type)).toEqual(['ViewChannel', 'Connect', 'SendMessages']);
    }
    for (const type of ['category', 'forum', 'media'] as const) expect(inType(type)).toEqual([]);
  });
});

describe('with needs', () => {
  test('only what is needed and missing is lacking, also in a list', () => {
    for (const many of [{}, { many: { max: 2 } }]) {
      const options = { needs: ['ManageMessages', 'AddReactions'], ...many } as const;
      expect(lacking(options, 'text', ['ViewChannel', 'AddReactions'])).toEqual(['ManageMessages']);
      expect(lacking(options, 'text', ['ViewChannel', 'AddReactions', 'ManageMessages'])).toEqual([]);
      expect(lacking({ ...options, needs: [] }, 'text')).toEqual([]);
    }
  });

  test('the right to write in threads takes the place of Send Messages in a thread, once', () => {
    const needs = ['SendMessages', 'SendMessagesInThreads'] as const;
    expect(lacking({ needs }, 'thread', ['ViewChannel', 'SendMessages'])).toEqual(['SendMessagesInThreads']);
    expect(lacking({ needs }, 'text', ['ViewChannel', 'SendMessagesInThreads'])).toEqual(['SendMessages']);
  });

  test('what Discord ignores without another permission needs that as well', () => {
    expect(lacking({ needs: ['EmbedLinks'] }, 'text', ['ViewChannel', 'EmbedLinks'])).toEqual(['SendMessages']);
    expect(lacking({ needs: ['EmbedLinks'] }, 'thread', ['ViewChannel', 'EmbedLinks'])).toEqual([
      'SendMessagesInThreads',
    ]);
    expect(lacking({ needs: ['Speak'] }, 'voice', ['ViewChannel', 'Speak'])).toEqual(['Connect']);
    expect(lacking({ needs: ['SendMessages'] }, 'voice', ['ViewChannel', 'SendMessages'])).toEqual(['Connect']);
    expect(lacking({ needs: ['AddReactions'] }, 'text', ['AddReactions'])).toEqual(['ViewChannel']);
    expect(lacking({ needs: ['ViewChannel'] }, 'voice', ['ViewChannel'])).toEqual([]);
  });

  test('what Discord does not have in channels of a type is not needed there, and a category has everything', () => {
    const needs = ['Speak', 'RequestToSpeak', 'ManageThreads'] as const;
    expect(lacking({ needs }, 'text', ['ViewChannel'])).toEqual(['ManageThreads']);
    expect(lacking({ needs }, 'voice', ['ViewChannel', 'Connect'])).toEqual(['Speak']);
    expect(lacking({ needs }, 'stage', ['ViewChannel', 'Connect'])).toEqual(['RequestToSpeak']);
    expect(lacking({ needs }, 'category', ['ViewChannel'])).toEqual(needs);
  });

  test('what this version does not know is left out', () => {
    const needs = ['AddReactions', 'toString', 'LaterPermission'] as unknown as readonly ChannelPermission[];
    expect(lacking({ needs }, 'text')).toEqual(['ViewChannel', 'AddReactions']);
  });
});

test('nothing is said to be lacking where it is not known what the bot may do', () => {
  expect(lackingIn(settingWith({ needs: ['SendMessages'] }), { type: TYPES.text })).toEqual([]);
});

test('an administrator has every permission that can be given for a channel', () => {
  const all = botPermissionsText(-1n);
  for (const type of ['text', 'voice', 'stage', 'category'] as const) {
    expect(
      lackingIn(settingWith({ needs: CHANNEL_PERMISSION_NAMES }), { type: TYPES[type], botPermissions: all }),
    ).toEqual([]);
  }
  expect(botPermissionsText(1n << 3n)).toBe('0');
});

describe('a table', () => {
  const label = { 'en-US': 'X' };
  const table = settingOf('custom', 'x', {
    kind: 'table',
    max: 5,
    label,
    columns: {
      channel: { kind: 'channel', label },
      posts: { kind: 'channel', needs: ['SendMessages'], label },
      role: { kind: 'role', label },
      factor: { kind: 'integer', min: 0, max: 9, default: 1, label },
    },
  });
  const [channel, posts, role] = table?.columns ?? [];
  const id = (last: number) => `38187055323519385${last}`;

  test('names the channels and roles of its cells, each with its column', () => {
    if (table === undefined) throw new Error('Expected a table');
    const rows = [
      { channel: id(1), posts: '', role: id(2), factor: 2 },
      { channel: '', posts: id(3), role: '', factor: 3 },
    ];
    expect(referencesIn(table, rows)).toEqual([
      { setting: channel, id: id(1) },
      { setting: role, id: id(2) },
      { setting: posts, id: id(3) },
    ]);
    for (const none of [undefined, null, []]) expect(referencesIn(table, none)).toEqual([]);
  });

  test('needs in the channels of a column what the column says, and nothing unless it does', () => {
    const hidden = { type: TYPES.text, botPermissions: '0' };
    expect(channel && lackingIn(channel, hidden)).toEqual([]);
    expect(posts && lackingIn(posts, hidden)).toEqual(['ViewChannel', 'SendMessages']);
  });
});

test('a value names ids, and none where it is empty or of another kind', () => {
  const setting = settingWith({ many: { max: 3 } });
  expect(referencesIn(setting, ['1', '2'])).toEqual([
    { setting, id: '1' },
    { setting, id: '2' },
  ]);
  expect(referencesIn(settingWith({}), '')).toEqual([]);
});
