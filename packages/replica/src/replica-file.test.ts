import type { WatchedEvent } from '@guild-settings/client';
import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { temporaryFile } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openReplicaFile, type ReplicaFile } from './replica-file.ts';

const A = '197038439483310086';
const B = '197038439483310087';
const guild = (id: string, prefix: string) => ({ id, name: 'n', icon: null, ...DEFAULT_SETTINGS, prefix });
const cursor = (revision: number) => ({ epoch: 'one', revision });

const reset = { cursor: cursor(0), event: { type: 'reset', epoch: 'one' } } as const;
const live = (revision: number) => ({ cursor: cursor(revision), event: { type: 'live', revision } }) as const;
const changed = (id: string, revision: number, prefix: string) =>
  ({ cursor: cursor(revision), event: { type: 'guild', revision, guild: guild(id, prefix) } }) as const;

function applyAll(file: ReplicaFile, events: readonly WatchedEvent[], liveAt: number | undefined): void {
  for (const event of events) file.apply(event, liveAt);
}

/** Returns what a file holds when it is opened for a scope. */
function saved(path: string, scope: string) {
  const file = openReplicaFile(path, scope);
  const held = file.load();
  const records = held.guilds.map((guildId) => file.read(guildId));
  file.close();
  return { ...held, records };
}

describe('a file of the guilds of some shards', () => {
  test('is resumed at its cursor by a replica of the same guilds', async () => {
    using file = temporaryFile();
    const first = openReplicaFile(file.path, '0/2');
    applyAll(first, [reset, changed(A, 3, '?'), live(3)], 1_000);
    first.close();
    expect(saved(file.path, '0/2')).toEqual({
      guilds: [A],
      staged: undefined,
      records: [guild(A, '?')],
      cursor: cursor(3),
      liveAt: 1_000,
    });
  });

  test('serves its records to a replica of other guilds, without its cursor, until that is live', async () => {
    using file = temporaryFile();
    const first = openReplicaFile(file.path, '0/2');
    applyAll(first, [reset, changed(A, 3, '?'), changed(B, 4, '?'), live(4)], 1_000);
    first.close();
    const second = openReplicaFile(file.path, '1/2');
    const held = second.load();
    expect(held.cursor).toBeUndefined();
    expect(held.guilds).toEqual([A, B]);
    // Revisions may be lower: another scope starts anew.
    applyAll(second, [reset, changed(B, 1, '!!')], undefined);
    second.close();
    expect(saved(file.path, '1/2')).toMatchObject({ guilds: [A, B], staged: [B], liveAt: undefined });
    const third = openReplicaFile(file.path, '1/2');
    applyAll(third, [live(1)], 2_000);
    third.close();
    expect(saved(file.path, '1/2')).toEqual({
      guilds: [B],
      staged: undefined,
      records: [guild(B, '!!')],
      cursor: cursor(1),
      liveAt: 2_000,
    });
    expect(saved(file.path, '0/2').cursor).toBeUndefined();
  });
});

test('what a version with another schema has stored is discarded, and other tables in the file are kept', () => {
  using file = temporaryFile();
  const first = openReplicaFile(file.path, 'all');
  applyAll(first, [reset, changed(A, 3, '?'), live(3)], 1_000);
  first.close();
  expect(saved(file.path, 'all').guilds).toEqual([A]);
  const other = new Database(file.path);
  other.exec('CREATE TABLE reminders (id integer); INSERT INTO reminders VALUES (7)');
  other.exec('ALTER TABLE records RENAME COLUMN record TO json; PRAGMA user_version = 1');
  other.close();
  const discarded = { guilds: [], staged: undefined, records: [], cursor: undefined, liveAt: undefined };
  expect(saved(file.path, 'all')).toEqual(discarded);
  const again = openReplicaFile(file.path, 'all');
  applyAll(again, [reset, changed(A, 4, '%'), live(4)], 2_000);
  again.close();
  expect(saved(file.path, 'all')).toMatchObject({ cursor: cursor(4), records: [guild(A, '%')] });
  const reader = new Database(file.path, { readonly: true });
  expect(reader.prepare('SELECT id FROM reminders').pluck().all()).toEqual([7]);
  reader.close();
});

test('unknown fields and values of records are kept as they are', () => {
  using file = temporaryFile();
  const newer = { ...guild(A, '?'), language: 'fr', mood: { is: 'new' } };
  const first = openReplicaFile(file.path, 'all');
  applyAll(first, [reset, { cursor: cursor(1), event: { type: 'guild', revision: 1, guild: newer } }, live(1)], 1_000);
  first.close();
  expect(saved(file.path, 'all').records).toEqual([newer]);
});
