import { temporaryFile } from '@guild-settings/testing';
import { openTestSqlite } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import * as schema from './schema.ts';

test('the SQLite file has after its migrations exactly the columns and indexes of the schema', async () => {
  using file = temporaryFile();
  await openTestSqlite(file.path).close();
  const db = new Database(file.path, { readonly: true });
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

test('the SQLite file is written durably: WAL, and synchronous in full', async () => {
  using file = temporaryFile();
  await openTestSqlite(file.path).close();
  const db = new Database(file.path);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  db.close();
});
