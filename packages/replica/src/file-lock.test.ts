import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { temporaryFile } from '../testing/temporary-file.ts';
import { openBotDatabase } from './database.ts';
import { FileInUseError, holdFile } from './hold-file.ts';

test('a file that one bot holds is refused to another, until the first lets go', async () => {
  await using file = await temporaryFile();
  const release = holdFile(file.path);
  expect(() => holdFile(file.path)).toThrow(FileInUseError);
  expect(() => holdFile(file.path)).toThrow('DATABASE_URL');
  release();
  holdFile(file.path)();
});

test('a held file can still be looked into, and copied', async () => {
  await using file = await temporaryFile();
  const release = holdFile(file.path);
  const db = openBotDatabase(file.path, 'on-disk');
  const other = new Database(file.path, { readonly: true });
  expect(other.prepare('SELECT count(*) FROM reminders').pluck().get()).toBe(0);
  other.close();
  db.$client.close();
  release();
});
