import { describe, expect, test } from 'vitest';
import { Acknowledgement } from './arrival.ts';
import { LIMITS } from './limits.ts';
import { PresenceReport } from './presence.ts';
import { sentShards, WATCH_EVENT_TYPES, WatcherShards, WatchInput } from './watch.ts';

const LATER = { mood: 'new' };
const CURSOR = { epoch: 'e', revision: 1 };
const SHARD = { id: 0, count: 1 };
const IDENTITY = { id: 'watcher-1', name: 'bot' };
const REJECTION = { guild: '197038439483310086', revision: 1, reason: 'r' };

describe('a field that this version does not know is ignored', () => {
  test.each<[string, object, object]>([
    ['the input of a watch', { ...LATER }, {}],
    ['its cursor', { cursor: { ...CURSOR, ...LATER } }, { cursor: CURSOR }],
    ['its shard', { shard: { ...SHARD, ...LATER } }, { shard: SHARD }],
    [
      'its watcher, and the shards of that',
      { watcher: { ...IDENTITY, ...LATER, shards: [{ ...SHARD, ...LATER }], acknowledged: { ...CURSOR, ...LATER } } },
      { watcher: { ...IDENTITY, shards: [SHARD], acknowledged: CURSOR } },
    ],
  ])('in %s', (_where, input, expected) => {
    expect(WatchInput.parse(input)).toMatchObject(expected);
  });

  test('in an acknowledgement, and everything in it', () => {
    const input = {
      watcher: { ...IDENTITY, ...LATER },
      shards: [{ ...SHARD, ...LATER }],
      cursor: { ...CURSOR, ...LATER },
      rejected: [{ ...REJECTION, ...LATER }],
      ...LATER,
    };
    const expected = { watcher: IDENTITY, shards: [SHARD], cursor: CURSOR, rejected: [REJECTION] };
    expect(Acknowledgement.parse(input)).toEqual(expected);
  });

  test('and in `accepts`, any number of types', () => {
    const accepts = [
      ...Array.from({ length: 100 }, (_, index) => `later-${index}`),
      'l'.repeat(100),
      ...WATCH_EVENT_TYPES,
    ];
    expect(WatchInput.parse({ accepts }).accepts).toEqual(expect.arrayContaining([...WATCH_EVENT_TYPES]));
  });
});

describe('what is refused all the same', () => {
  test('is a shard id that is not below the count', () => {
    const { error } = WatchInput.safeParse({ shard: { id: 1, count: 1, ...LATER } });
    expect(error?.issues).toMatchObject([
      { path: ['shard', 'id'], message: 'expected a shard id below the shard count' },
    ]);
  });

  test('is an unknown field in the shard of a presence report, which no watcher sends', () => {
    const snapshot = { type: 'snapshot', shard: SHARD, guilds: [] };
    expect(PresenceReport.safeParse(snapshot).success).toBe(true);
    expect(PresenceReport.safeParse({ ...snapshot, shard: { ...SHARD, ...LATER } }).success).toBe(false);
  });
});

describe('the shards of a watcher', () => {
  const shardsOf = (length: number, count: number) => Array.from({ length }, (_, id) => ({ id, count }));

  test('are read one by one, and in groups, which is how a watch sends them in the room that a URL has', () => {
    expect(WatcherShards.parse(shardsOf(256, 300))).toEqual(shardsOf(256, 300));
    const most = [...shardsOf(LIMITS.watcherShards - 1, 16_384), { id: 7, count: 8 }];
    const sent = sentShards(most);
    expect(sent).toHaveLength(2);
    expect(encodeURIComponent(JSON.stringify(sent)).length).toBeLessThan(8_000);
    expect(WatcherShards.parse(sent)).toEqual(most);
  });

  test.each<[string, unknown]>([
    ['too many one by one', shardsOf(LIMITS.watcherShards + 1, 2_000)],
    ['too many in groups', [{ ids: [0], count: 1 }, sentShards(shardsOf(LIMITS.watcherShards, 2_000))].flat()],
    ['an id in a group that is not below its count', [{ ids: [0, 1], count: 1 }]],
    ['an empty group', [{ ids: [], count: 1 }]],
    ['none', []],
  ])('are refused: %s', (_what, shards) => {
    expect(WatcherShards.safeParse(shards).success).toBe(false);
  });
});
