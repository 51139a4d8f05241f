import { asc, count, gt, inArray, lte, max, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { canonical } from '../canonical.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import * as target from '../postgres/schema.ts';
import type { SqliteDatabase } from '../sqlite/database.ts';
import * as source from '../sqlite/schema.ts';
import { CopyRefusedError } from './copy-refused-error.ts';

export const BATCH_ROWS = 1_000;

export interface CopyProgress {
  readonly step: 'copying' | 'comparing';
  readonly table: string;
  readonly done: number;
  readonly total: number;
}

type OnProgress = (progress: CopyProgress) => void;

interface CopiedTable {
  readonly name: string;
  readonly source: SQLiteTable;
  readonly target: PgTable;
  readonly sourceKey: SQLiteColumn;
  readonly targetKey: PgColumn;
  readonly key: string;
}

export const CHANGES: CopiedTable = {
  name: 'changes',
  source: source.changes,
  target: target.changes,
  sourceKey: source.changes.revision,
  targetKey: target.changes.revision,
  key: 'revision',
};

export const GUILDS: CopiedTable = {
  name: 'guilds',
  source: source.guilds,
  target: target.guilds,
  sourceKey: source.guilds.id,
  targetKey: target.guilds.id,
  key: 'id',
};

/** Copies the rows of a table after the last one that an interrupted copy has copied. */
export async function copyTable(
  from: SqliteDatabase,
  to: PostgresDatabase,
  table: CopiedTable,
  onProgress: OnProgress,
): Promise<void> {
  const [reached] = await to.select({ key: max(table.targetKey) }).from(table.target);
  const last: unknown = reached?.key ?? undefined;
  let done = last === undefined ? 0 : countRows(from, table, lte(table.sourceKey, last));
  const total = countRows(from, table);
  for (const rows of batches(from, table, last)) {
    await to.insert(table.target).values(rows).onConflictDoNothing();
    done += rows.length;
    onProgress({ step: 'copying', table: table.name, done, total });
  }
}

export async function compareTable(
  from: SqliteDatabase,
  to: PostgresDatabase,
  table: CopiedTable,
  onProgress: OnProgress,
): Promise<number> {
  const total = countRows(from, table);
  let done = 0;
  for (const rows of batches(from, table)) {
    const keys = rows.map((row) => row[table.key]);
    const copies = await to.select().from(table.target).where(inArray(table.targetKey, keys));
    const byKey = new Map(copies.map((copy) => [copy[table.key], copy]));
    const differing = rows.findIndex((row) => canonical(row) !== canonical(byKey.get(row[table.key])));
    if (differing >= 0) {
      throw new CopyRefusedError(
        `${table.name} differs after the copy, at row ${done + differing + 1}: one of them was changed during the copy. Empty the target and copy again.`,
      );
    }
    done += rows.length;
    onProgress({ step: 'comparing', table: table.name, done, total });
  }
  const [held] = await to.select({ n: count() }).from(table.target);
  if (held?.n !== total) {
    throw new CopyRefusedError(
      `${table.name} holds ${held?.n} rows after the copy, and ${total} were expected. Empty the target and copy again.`,
    );
  }
  return total;
}

function countRows(from: SqliteDatabase, { source }: CopiedTable, where?: SQL): number {
  return from.select({ n: count() }).from(source).where(where).get()?.n ?? 0;
}

function* batches(from: SqliteDatabase, { source, sourceKey, key }: CopiedTable, after?: unknown) {
  let last = after;
  for (;;) {
    const where = last === undefined ? undefined : gt(sourceKey, last);
    const rows = from.select().from(source).where(where).orderBy(asc(sourceKey)).limit(BATCH_ROWS).all();
    if (rows.length === 0) return;
    last = rows.at(-1)?.[key];
    yield rows;
  }
}
