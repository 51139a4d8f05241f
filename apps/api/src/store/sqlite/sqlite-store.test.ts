import { temporaryFile } from '@guild-settings/testing';
import { describeStore } from '@guild-settings/testing/store-behaviour';
import { describeStoreAtScale, type OpenDatabase } from '@guild-settings/testing/store-log-behaviour';
import { openReopenable, openTestSqlite, storeTest } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { describe, expect } from 'vitest';
import * as schema from './schema.ts';

describeStore('SQLite', openResource);
describeStoreAtScale('SQLite', openResource);

const test = storeTest(openResource);

describe('the SQLite file', () => {
  test('has after its migrations exactly the columns and indexes of the schema', async ({ resource }) => {
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

  test('is written durably: WAL, and synchronous in full', async ({ resource }) => {
    const db = new Database(resource.path);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    db.close();
  });
});

async function openResource(): Promise<OpenDatabase & { readonly path: string }> {
  const file = temporaryFile();
  const { path } = file;
  const resource = await openReopenable(() => openTestSqlite(path));
  return {
    ...resource,
    path,
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
    async [Symbol.asyncDispose]() {
      await resource[Symbol.asyncDispose]();
      file[Symbol.dispose]();
    },
  };
}
