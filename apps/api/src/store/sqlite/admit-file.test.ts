import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { A, openTestSqlite, prefix, type TestStore } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewDatabase } from './admit-file.ts';
import { backUp } from './back-up.ts';

const root = mkdtempSync(join(tmpdir(), 'guild-settings-admit-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const somewhere = () => join(mkdtempSync(join(root, 'data-')), 'api.db');

/** A backup of a database with a guild. */
const backup = somewhere();

beforeAll(async () => {
  const store = openTestSqlite(backup);
  await store.write(prefix([A], '?'));
  await store.close();
});

/** A path at which a database was served. */
function served(): string {
  const path = somewhere();
  for (const suffix of ['', '-id']) copyFileSync(backup + suffix, path + suffix);
  return path;
}

/** Creates the files that an interrupted first start leaves. */
function begin(path: string): void {
  rmSync(path, { force: true });
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.close();
}

/** Opens the store and returns the prefix of its guild; undefined: no guild. */
async function prefixIn(path: string, newDatabase?: NewDatabase): Promise<unknown> {
  const store = openTestSqlite(path, newDatabase);
  try {
    return (await store.read(A))?.settings.prefix;
  } finally {
    await store.close();
  }
}

describe('a database that was lost', () => {
  test.each([
    ['is missing', (path: string) => rmSync(path), 'found no file. Files of it remain: -id'],
    ['is empty', (path: string) => truncateSync(path), 'found an empty file. Files of it remain: -id'],
    ['has no tables', begin, 'found an empty file. Files of it remain: -id'],
  ])('and %s is not replaced by an empty one, unless --new is given', async (_, lose, reason) => {
    const path = served();
    lose(path);
    expect(() => openTestSqlite(path)).toThrow(reason);
    expect(await prefixIn(path, 'always')).toBeUndefined();
    // From now on both the new database and, if it reappears, the old one belong to this path.
    expect(await prefixIn(path)).toBeUndefined();
    copyFileSync(backup, path);
    expect(await prefixIn(path)).toBe('?');
  });

  test('by a version that recorded no id is detected by its -wal', async () => {
    const path = somewhere();
    writeFileSync(`${path}-wal`, 'changes');
    expect(() => openTestSqlite(path)).toThrow('found no file. Files of it remain: -wal');
    expect(statSync(`${path}-wal`).size).toBe(7);
    expect(await prefixIn(path, 'always')).toBeUndefined();
  });

  test('is accepted again as a backup in its place, and in a new folder', async () => {
    const path = served();
    rmSync(path);
    copyFileSync(backup, path);
    expect(await prefixIn(path)).toBe('?');
    const elsewhere = somewhere();
    copyFileSync(backup, elsewhere);
    expect(await prefixIn(elsewhere)).toBe('?');
  });

  test('is not reported where there was none: at a first start, an interrupted one, with an empty file', async () => {
    const [missing, begun, empty] = [somewhere(), somewhere(), somewhere()];
    begin(begun);
    writeFileSync(empty, '');
    for (const path of [missing, begun, empty]) expect(await prefixIn(path)).toBeUndefined();
  });
});

describe('a file that is not the database which was served', () => {
  test('is refused, and unchanged: a database of another service', () => {
    const path = somewhere();
    const other = new Database(path);
    other.exec('CREATE TABLE reminders (id INTEGER)');
    other.close();
    for (const way of ['without-traces', 'always', 'never'] as const) {
      expect(() => openTestSqlite(path, way)).toThrow('the tables reminders');
    }
    const db = new Database(path, { readonly: true });
    expect(db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all()).toEqual(['reminders']);
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
    db.close();
  });

  test.each([1, 511, 100_000])('is refused, and unchanged: %d bytes that are no database', (bytes) => {
    const path = somewhere();
    writeFileSync(path, 'x'.repeat(bytes));
    for (const way of ['without-traces', 'always', 'never'] as const) {
      expect(() => openTestSqlite(path, way)).toThrow('cannot be opened');
    }
    expect(statSync(path).size).toBe(bytes);
  });

  test('is refused, and unchanged: the right file beside the -wal of another database', async () => {
    const path = served();
    const other = somewhere();
    const store = openTestSqlite(other);
    copyFileSync(`${other}-wal`, `${path}-wal`);
    await store.close();
    expect(() => openTestSqlite(path)).toThrow('a -wal of another file');
    rmSync(`${path}-wal`);
    expect(await prefixIn(path)).toBe('?');
  });

  test('is refused, and unchanged: a backup that was put back beside the -wal of the file it replaces', async () => {
    const path = somewhere();
    const ids = Array.from(
      { length: 1_000 },
      (_, index) => `${200_000_000_000_000_000n + BigInt((index * 919) % 1_000)}`,
    );
    const write = async (store: TestStore, from: number, to: number) => {
      for (let start = from; start < to; start += 50) await store.write(prefix(ids.slice(start, start + 50), '?'));
    };
    const earlier = openTestSqlite(path);
    await write(earlier, 0, 500);
    backUp(path, `${path}.backup`);
    await write(earlier, 500, 1_000);
    await earlier.close();
    // With the earlier changes in the file, -wal contains only a part of the later ones.
    const later = openTestSqlite(path);
    await write(later, 0, 100);
    copyFileSync(`${path}-wal`, `${path}.wal`);
    await later.close();
    copyFileSync(`${path}.backup`, path);
    copyFileSync(`${path}.wal`, `${path}-wal`);
    expect(() => openTestSqlite(path)).toThrow('If it is a restored backup, delete -wal and -shm');
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    const restored = openTestSqlite(path);
    for (const id of ids.slice(0, 500)) expect(await restored.read(id)).toMatchObject({ id });
    await restored.close();
  });

  test('is refused: a database without its row in meta, which would assign revisions from 1 again', () => {
    const path = served();
    const db = new Database(path);
    db.exec('DELETE FROM meta');
    db.close();
    expect(() => openTestSqlite(path, 'always')).toThrow('one row in its table meta, found none');
  });
});
