import { rmSync, writeFileSync } from 'node:fs';
import type { WatchedEvent } from '@guild-settings/client';
import { temporaryFile } from '@guild-settings/testing';
import { eventsOf, recordOf } from '@guild-settings/testing/replica';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { FileInUseError } from './index.ts';
import { openReplicaFile } from './replica-file.ts';

const A = '197038439483310086';
const B = '197038439483310087';
const { reset, guild, live } = eventsOf('one');

function apply(path: string, scope: string, events: readonly WatchedEvent[], liveAt: number | undefined): void {
  const file = openReplicaFile(path, scope);
  for (const event of events) file.apply(event, liveAt);
  file.close();
}

function saved(path: string, scope: string) {
  const file = openReplicaFile(path, scope);
  const { declared: _, ...held } = file.load();
  const records = held.guilds.map((guildId) => file.read(guildId));
  file.close();
  return { ...held, records };
}

describe('a file of the guilds of some shards', () => {
  test('is resumed at its cursor by a replica of the same guilds', () => {
    using file = temporaryFile();
    apply(file.path, '0/2', [reset, guild(A, 3, '?'), live(3)], 1_000);
    expect(saved(file.path, '0/2')).toEqual({
      guilds: [A],
      staged: undefined,
      records: [recordOf(A, '?')],
      cursor: live(3).cursor,
      liveAt: 1_000,
    });
  });

  test('serves its records to a replica of other guilds, without its cursor, until that is live', () => {
    using file = temporaryFile();
    apply(file.path, '0/2', [reset, guild(A, 3, '?'), guild(B, 4, '?'), live(4)], 1_000);
    expect(saved(file.path, '1/2')).toMatchObject({ cursor: undefined, guilds: [A, B] });
    // Revisions may be lower, because another scope starts from the beginning.
    apply(file.path, '1/2', [reset, guild(B, 1, '!!')], undefined);
    expect(saved(file.path, '1/2')).toMatchObject({ guilds: [A, B], staged: [B], liveAt: undefined });
    apply(file.path, '1/2', [live(1)], 2_000);
    expect(saved(file.path, '1/2')).toEqual({
      guilds: [B],
      staged: undefined,
      records: [recordOf(B, '!!')],
      cursor: live(1).cursor,
      liveAt: 2_000,
    });
    expect(saved(file.path, '0/2').cursor).toBeUndefined();
  });
});

test.each([
  ['of another migration', "UPDATE __replica_migrations SET hash = 'another'"],
  ['of no migration', 'DROP TABLE __replica_migrations'],
])('what is stored in tables %s is discarded, and other tables in the file are kept', (_what, change) => {
  using file = temporaryFile();
  apply(file.path, 'all', [reset, guild(A, 3, '?'), live(3)], 1_000);
  const other = new Database(file.path);
  other.exec('CREATE TABLE reminders (id integer); INSERT INTO reminders VALUES (7)');
  other.exec(`ALTER TABLE records RENAME COLUMN record TO json; ${change}`);
  const discarded = { guilds: [], staged: undefined, records: [], cursor: undefined, liveAt: undefined };
  expect(saved(file.path, 'all')).toEqual(discarded);
  apply(file.path, 'all', [reset, guild(A, 4, '%'), live(4)], 2_000);
  expect(saved(file.path, 'all')).toMatchObject({ cursor: live(4).cursor, records: [recordOf(A, '%')] });
  expect(other.prepare('SELECT id FROM reminders').pluck().all()).toEqual([7]);
  other.close();
});

test('a file whose tables cannot be created is refused with the error of SQLite', () => {
  using file = temporaryFile();
  openReplicaFile(file.path, 'all').close();
  const other = new Database(file.path);
  other.exec('DROP TABLE __replica_migrations; BEGIN IMMEDIATE');
  expect(() => openReplicaFile(file.path, 'all')).toThrow(Database.SqliteError);
  other.close();
});

test('unknown fields and values of records are kept as they are', () => {
  using file = temporaryFile();
  const newer = { ...recordOf(A, '?'), language: 'fr', mood: { is: 'new' } };
  const { cursor } = live(1);
  apply(file.path, 'all', [reset, { cursor, event: { type: 'guild', revision: 1, guild: newer } }, live(1)], 1_000);
  expect(saved(file.path, 'all').records).toEqual([newer]);
});

test('a file that one replica has open is refused to another, and one that cannot be opened is not left locked', () => {
  using file = temporaryFile();
  const first = openReplicaFile(file.path, 'all');
  expect(() => openReplicaFile(file.path, 'all')).toThrow(FileInUseError);
  first.close();
  writeFileSync(file.path, 'not a database');
  const options = { damagedFile: 'throw' } as const;
  expect(() => openReplicaFile(file.path, 'all', options)).toThrow('not a database');
  rmSync(file.path);
  openReplicaFile(file.path, 'all').close();
});
