import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startProgram } from '@guild-settings/testing';
import { A, damagePage, openTestSqlite, prefix } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../src/store/sqlite/back-up.ts';

const COMMAND = fileURLToPath(new URL('../dist/backup.js', import.meta.url));
const ROWS = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'guild-settings-backup-'));
const source = join(folder, 'api.db');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const store = openTestSqlite(source);
  await store.write(prefix([A], '?'));
  await store.close();
  const db = new Database(source);
  // Some 20 MB, so that a backup takes a while.
  db.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, reason, before, after)
     SELECT n, '1', n, 'user', '1', 'rest', hex(randomblob(450)), '{}', '{}' FROM numbers`,
  ).run(ROWS);
  db.close();
});

function backups(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

const sizesIn = (path: string) =>
  readdirSync(path).map((name) => statSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0);

function startBackup(to: string) {
  return startProgram({ args: [COMMAND, '--from', `file:${source}`, '--to', `file:${to}`] });
}

function rowsIn(path: string): unknown {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare('SELECT count(*) FROM changes').pluck().get();
  } finally {
    db.close();
  }
}

test('a killed backup leaves no file of its name, and the next one deletes its temporary file', async () => {
  const target = backups('killed');
  const to = join(target, 'today.db');
  const wholeBytes = statSync(source).size;
  const killAt = async (bytes: number) => {
    const { child, exited } = startBackup(to);
    let isKilled = false;
    while (!isKilled && child.exitCode === null) {
      const sizes = sizesIn(target).filter((size) => size < wholeBytes * 0.9);
      if (readdirSync(target).length > 0 && Math.max(...sizes) >= bytes) isKilled = child.kill('SIGKILL');
      await setImmediate();
    }
    await exited;
    // The backup was faster than the test: then it is complete.
    if (existsSync(to)) expect(rowsIn(to)).toBe(ROWS);
    else expect(isKilled).toBe(true);
    rmSync(to, { force: true });
  };
  // As soon as the file exists, early, and half-way.
  for (const bytes of [0, 1, wholeBytes / 2]) await killAt(bytes);
  // All of them may have been faster.
  for (let attempt = 0; attempt < 50 && readdirSync(target).length === 0; attempt += 1) await killAt(0);
  expect(readdirSync(target).length).toBeGreaterThan(0);
  expect(await startBackup(join(target, 'tomorrow.db')).exited).toEqual({ code: 0, signal: null });
  expect(readdirSync(target)).toEqual(['tomorrow.db']);
  expect(rowsIn(join(target, 'tomorrow.db'))).toBe(ROWS);
});

test('a backup and a folder created for it are accessible to their owner only', () => {
  const to = join(folder, 'made', 'today.db');
  const umask = process.umask(0);
  backUp(source, to);
  process.umask(umask);
  expect(statSync(to).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'made')).mode & 0o777).toBe(0o700);
});

test('a failed backup leaves no file, and does not touch what another run is writing', () => {
  const target = backups('failed');
  const damaged = join(target, 'damaged.db');
  backUp(source, damaged);
  damagePage(damaged, 'guilds_revision');
  const written = join(target, `other.db.${'0'.repeat(36)}.partial`);
  const other = new Database(written);
  other.exec('BEGIN EXCLUSIVE; CREATE TABLE being_written (a)');
  expect(() => backUp(damaged, join(target, 'today.db'))).toThrow(/malformed|damaged/);
  other.exec('ROLLBACK');
  other.close();
  expect(readdirSync(target).sort()).toEqual(['damaged.db', `other.db.${'0'.repeat(36)}.partial`]);
});
