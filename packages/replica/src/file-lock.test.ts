import { rmSync, writeFileSync } from 'node:fs';
import { temporaryFile } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { FileInUseError } from './index.ts';
import { openReplicaFile } from './replica-file.ts';

test('a file that one replica has open is refused to another, until the first is closed', async () => {
  using file = temporaryFile();
  const first = openReplicaFile(file.path, 'all');
  expect(() => openReplicaFile(file.path, 'all')).toThrow(FileInUseError);
  first.close();
  openReplicaFile(file.path, 'all').close();
});

test('an open file can still be read by other programs, and copied', async () => {
  using file = temporaryFile();
  const open = openReplicaFile(file.path, 'all');
  const other = new Database(file.path, { readonly: true });
  expect(other.prepare('SELECT count(*) FROM records').pluck().get()).toBe(0);
  other.close();
  open.close();
});

test('a file that cannot be opened is not left locked', () => {
  using file = temporaryFile();
  writeFileSync(file.path, 'not a database');
  expect(() => openReplicaFile(file.path, 'all')).toThrow('not a database');
  rmSync(file.path);
  openReplicaFile(file.path, 'all').close();
});
