import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { describe, expect, test } from 'vitest';
import { describeStore } from '../../testing/store-behaviour.ts';
import { nothing, openTestSqlite } from '../../testing/store-commands.ts';
import { describeStoreAtScale, type OpenDatabase } from '../../testing/store-scale-behaviour.ts';
import { StoreUnavailableError } from '../store.ts';
import * as schema from './schema.ts';

describeStore('SQLite', openResource);
describeStoreAtScale('SQLite', openResource);

describe('the SQLite file', () => {
  test('has after its migrations exactly the columns and indexes of the schema', async () => {
    await using resource = await openResource();
    const db = new Database(resource.path, { readonly: true });
    for (const table of Object.values(schema)) {
      const { name, columns, indexes } = getTableConfig(table);
      const found = db.pragma(`table_info(${name})`) as { name: string; type: string; notnull: number }[];
      expect(found.map((column) => [column.name, column.type.toLowerCase(), column.notnull === 1])).toEqual(
        columns.map((column) => [column.name, column.getSQLType(), column.notNull]),
      );
      const made = db.pragma(`index_list(${name})`) as { name: string; origin: string }[];
      const named = made.filter((index) => index.origin === 'c').map((index) => index.name);
      expect(named.sort()).toEqual(indexes.map((index) => index.config.name).sort());
    }
    db.close();
  });

  test('is written durably: WAL, and synchronous in full', async () => {
    await using resource = await openResource();
    const db = new Database(resource.path);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    db.close();
  });

  test('that is not a database is refused', async () => {
    await using resource = await openResource();
    await resource.store.close();
    const { writeFile } = await import('node:fs/promises');
    const path = join(resource.folder, 'other.db');
    await writeFile(path, 'this is no database, but it is long enough to be taken for one'.repeat(100));
    expect(() => openTestSqlite(path)).toThrow('not a database');
  });

  test('that is locked by another process is unavailable, not broken', async () => {
    await using resource = await openResource();
    const other = new Database(resource.path);
    other.exec('BEGIN IMMEDIATE');
    await expect(resource.store.write(nothing(['197038439483310086']))).rejects.toThrow(StoreUnavailableError);
    other.exec('ROLLBACK');
    other.close();
    await expect(resource.store.write(nothing(['197038439483310086']))).resolves.toMatchObject({ written: 0 });
  });
});

async function openResource(): Promise<OpenDatabase & { readonly path: string; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-store-'));
  const path = join(folder, 'test.db');
  let store = openTestSqlite(path);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await store.close();
    isOpen = false;
  };
  return {
    store: { ...store, close },
    path,
    folder,
    async query(sql) {
      const db = new Database(path);
      try {
        const statement = db.prepare<[], Record<string, unknown>>(sql);
        if (statement.reader) return statement.all();
        statement.run();
        return [];
      } finally {
        db.close();
      }
    },
    async reopen() {
      await close();
      store = openTestSqlite(path);
      isOpen = true;
      return store;
    },
    async [Symbol.asyncDispose]() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
