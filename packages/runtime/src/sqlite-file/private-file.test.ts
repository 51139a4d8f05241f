import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makePrivate, makePrivateFolder } from './private-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'guild-settings-private-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a database that others could read is private: a new one, and one that was there with what lies beside it', () => {
  const made = join(folder, 'made.db');
  makePrivate(made);
  expect(modeOf(made)).toBe('600');
  const existing = join(folder, 'existing.db');
  for (const path of [existing, `${existing}-wal`, `${existing}-shm`]) {
    writeFileSync(path, 'x');
    chmodSync(path, 0o644);
  }
  makePrivate(existing);
  for (const path of [existing, `${existing}-wal`, `${existing}-shm`]) expect(modeOf(path)).toBe('600');
});

test('a data folder that is made is private, and an existing one keeps its permissions', () => {
  makePrivateFolder(join(folder, 'a', 'b'));
  expect([modeOf(join(folder, 'a')), modeOf(join(folder, 'a', 'b'))]).toEqual(['700', '700']);
  chmodSync(join(folder, 'a'), 0o755);
  makePrivateFolder(join(folder, 'a'));
  expect(modeOf(join(folder, 'a'))).toBe('755');
});

test('a folder that cannot be made is an error', () => {
  writeFileSync(join(folder, 'a-file'), '');
  expect(() => makePrivateFolder(join(folder, 'a-file', 'b', 'c'))).toThrow(/ENOTDIR|EEXIST/);
  expect(() => makePrivateFolder(join(folder, 'a-file'))).toThrow(/EEXIST/);
});
