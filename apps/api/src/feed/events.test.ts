import { DEFAULT_SETTINGS, type Language, WATCH_EVENT_TYPES } from '@guild-settings/contract';
import { expect, test } from 'vitest';
import { Records } from '../domain/record.ts';
import type { FeedEntry } from '../store/guild-store.ts';
import { eventsOf, viewOf } from './events.ts';

const view = viewOf(WATCH_EVENT_TYPES);
const records = new Records();

const [A, B, C, D] = [0n, 1n, 2n, 3n].map((shift) => String(300_000_000_000_000_000n + (shift << 22n))) as [
  string,
  string,
  string,
  string,
];

function changed(id: string, revision: number, language = 'en-US'): FeedEntry {
  const state = {
    name: 'n',
    icon: null,
    // A row that a later version has written may have any language.
    settings: { ...DEFAULT_SETTINGS, language: language as Language },
    access: null,
    presence: 'present',
    leftAt: null,
    logged: { day: 0, bytes: 0 },
    epochs: { record: '', access: '' },
  } as const;
  return { revision, guild: { id, revision, accessRevision: 0, updatedAt: 0, ...state } };
}

const record = (id: string) => ({ id, name: 'n', icon: null, ...DEFAULT_SETTINGS });

test('has records that follow one another in one event, and an erasure in its place', () => {
  const entries = [changed(A, 1), changed(B, 3), { revision: 4, erased: C }, changed(D, 5)];
  expect([...eventsOf({ entries }, { shard: undefined, view, records })]).toEqual([
    {
      type: 'guilds',
      revision: 3,
      guilds: [
        { revision: 1, guild: record(A) },
        { revision: 3, guild: record(B) },
      ],
    },
    { type: 'removed', revision: 4, guild: C },
    { type: 'guild', revision: 5, guild: record(D) },
  ]);
});

test('has only the guilds of a shard', () => {
  const entries = [changed(A, 1), changed(B, 2), changed(C, 3), { revision: 4, erased: B }, { revision: 5, erased: D }];
  const shard = { id: Number((BigInt(A) >> 22n) % 2n), count: 2 };
  expect([...eventsOf({ entries }, { shard, view, records })].map(({ type }) => type)).toEqual(['guilds']);
  expect([...eventsOf({ entries: [changed(B, 2)] }, { shard, view, records })]).toEqual([]);
});

test('has an event for each record, for a watcher that does not accept pages', () => {
  const entries = [changed(A, 1), changed(B, 3)];
  const audience = { shard: undefined, view: viewOf(['guild', 'live']), records };
  expect([...eventsOf({ entries }, audience)]).toEqual([
    { type: 'guild', revision: 1, guild: record(A) },
    { type: 'guild', revision: 3, guild: record(B) },
  ]);
});

test('has the record as it is, with a language of a later version', () => {
  const entries = [changed(A, 1, 'fr')];
  expect([...eventsOf({ entries }, { shard: undefined, view, records })]).toMatchObject([
    { guild: { language: 'fr' } },
  ]);
});

test('has, for a watcher that does not say what it accepts, all events but those that were added later', () => {
  expect([...view.types].filter((type) => !viewOf(undefined).types.has(type))).toEqual(['declaration']);
});
