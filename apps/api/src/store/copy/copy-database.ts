import { existsSync } from 'node:fs';
import { asc, count, gt, lt, max, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { canonical } from '../canonical.ts';
import { openPool, type PostgresDatabase, requireMigrated } from '../postgres/database.ts';
import * as target from '../postgres/schema.ts';
import { openDatabase, type SqliteDatabase } from '../sqlite/database.ts';
import { lockDatabase } from '../sqlite/lock-database.ts';
import * as source from '../sqlite/schema.ts';
import { UNFINISHED } from './unfinished.ts';

/** Rows in one statement. */
const BATCH_ROWS = 1_000;

/** Progress of a copy: rows of one table. */
export interface CopyProgress {
  readonly step: 'copying' | 'comparing';
  readonly table: string;
  readonly done: number;
  readonly total: number;
}

/** Numbers of copied rows, and the newest revision. */
export interface Copied {
  readonly guilds: number;
  readonly changes: number;
  readonly revision: number;
}

/** The copy cannot be made. Existing data was not changed. */
export class CopyRefusedError extends Error {
  override readonly name = 'CopyRefusedError';
}

interface CopyOptions {
  readonly path: string;
  readonly url: string;
  readonly onProgress: (progress: CopyProgress) => void;
}

/**
 * Copies a SQLite database into a migrated PostgreSQL database, or continues an interrupted copy. Compares all rows at the
 * end.
 * @throws CopyRefusedError when the target holds other data, or differs after the copy
 */
export async function copyDatabase({ path, url, onProgress }: CopyOptions): Promise<Copied> {
  if (!existsSync(path)) throw new CopyRefusedError(`There is no file ${path}`);
  // What an api writes during the copy would be missing in the target.
  const release = lockDatabase(path);
  try {
    const from = openDatabase(path, 'never');
    return await copyOpened(from, url, onProgress);
  } finally {
    release();
  }
}

async function copyOpened(from: SqliteDatabase, url: string, onProgress: CopyOptions['onProgress']): Promise<Copied> {
  const to = openPool(url);
  try {
    await requireMigrated(to);
    // No other process writes to the file during the copy.
    from.$client.exec('BEGIN IMMEDIATE');
    return await copy(from, to, onProgress);
  } finally {
    if (from.$client.inTransaction) from.$client.exec('ROLLBACK');
    from.$client.close();
    await to.$client.end();
  }
}

async function copy(
  from: SqliteDatabase,
  to: PostgresDatabase,
  onProgress: CopyOptions['onProgress'],
): Promise<Copied> {
  const meta = from.select().from(source.meta).get();
  if (meta === undefined) throw new CopyRefusedError('The file holds no database of this service');
  await claim(to, meta.databaseId);
  const totals = {
    guilds: from.select({ n: count() }).from(source.guilds).get()?.n ?? 0,
    changes: from.select({ n: count() }).from(source.changes).get()?.n ?? 0,
  };

  // The log only grows at its end: copied rows are not copied again.
  const [reached] = await to.select({ revision: max(target.changes.revision) }).from(target.changes);
  await to.delete(target.changes).where(lt(target.changes.revision, meta.oldestRevision));
  let done =
    reached?.revision == null
      ? 0
      : (from.select({ n: count() }).from(source.changes).where(sql`revision <= ${reached.revision}`).get()?.n ?? 0);
  for (const rows of batches(from, 'changes', reached?.revision ?? -1)) {
    await to.insert(target.changes).values(rows).onConflictDoNothing();
    done += rows.length;
    onProgress({ step: 'copying', table: 'changes', done, total: totals.changes });
  }
  const [last] = await to.select({ id: max(target.guilds.id) }).from(target.guilds);
  done =
    last?.id == null ? 0 : (from.select({ n: count() }).from(source.guilds).where(sql`id <= ${last.id}`).get()?.n ?? 0);
  for (const rows of batches(from, 'guilds', last?.id ?? '')) {
    await to.insert(target.guilds).values(rows).onConflictDoNothing();
    done += rows.length;
    onProgress({ step: 'copying', table: 'guilds', done, total: totals.guilds });
  }
  await copySmall(from, to);
  await compare(from, to, totals, onProgress);
  await to.update(target.meta).set(meta);
  return { ...totals, revision: meta.lastRevision };
}

/** Marks an empty target as an unfinished copy, so that no api starts on it. */
async function claim(to: PostgresDatabase, databaseId: string): Promise<void> {
  const claimed = `${UNFINISHED}${databaseId}`;
  const row = { id: 1, databaseId: claimed, lastRevision: 0, oldestRevision: 1 };
  const [held] = await to.select().from(target.meta);
  const [guilds] = await to.select({ n: count() }).from(target.guilds);
  if (held === undefined && guilds?.n === 0) await to.insert(target.meta).values(row);
  else if (held?.databaseId !== claimed) {
    throw new CopyRefusedError('The target is in use: it holds a database, or the unfinished copy of another one');
  }
}

/** Copies epochs and presence reports whole: they are few. */
async function copySmall(from: SqliteDatabase, to: PostgresDatabase): Promise<void> {
  const epochs = from.select().from(source.epochs).orderBy(asc(source.epochs.number)).all();
  const reports = from.select().from(source.presenceReports).all();
  await to.transaction(async (tx) => {
    await tx.delete(target.epochs);
    await tx.delete(target.presenceReports);
    for (let start = 0; start < epochs.length; start += BATCH_ROWS) {
      await tx.insert(target.epochs).values(epochs.slice(start, start + BATCH_ROWS));
    }
    if (reports.length > 0) await tx.insert(target.presenceReports).values(reports);
    // The next epoch is numbered after those that were copied.
    await tx.execute(
      sql`SELECT setval(pg_get_serial_sequence('epochs', 'number'), greatest(1, (SELECT max(number) FROM epochs)))`,
    );
  });
}

async function compare(
  from: SqliteDatabase,
  to: PostgresDatabase,
  totals: { readonly guilds: number; readonly changes: number },
  onProgress: CopyOptions['onProgress'],
): Promise<void> {
  const targets = { changes: target.changes, guilds: target.guilds };
  for (const table of ['changes', 'guilds'] as const) {
    const [held] = await to.select({ n: count() }).from<PgTable>(targets[table]);
    let done = 0;
    for (const rows of batches(from, table, table === 'changes' ? -1 : '')) {
      const copied = await copiesOf(to, table, rows);
      const differing = rows.findIndex((row, index) => canonical(row) !== canonical(copied[index]));
      if (differing >= 0 || copied.length !== rows.length) {
        throw new CopyRefusedError(
          `${table} differs after the copy, at row ${done + Math.max(differing, 0) + 1}: one of them was changed meanwhile. Empty the target and copy again`,
        );
      }
      done += rows.length;
      onProgress({ step: 'comparing', table, done, total: totals[table] });
    }
    if (held?.n !== totals[table]) {
      throw new CopyRefusedError(`${table} holds ${held?.n} rows after the copy, and ${totals[table]} were expected`);
    }
  }
}

type Rows<Table extends 'guilds' | 'changes'> = (typeof source)[Table]['$inferSelect'][];

/** Yields the rows of a table after a key, in the order of keys. */
function* batches<Table extends 'guilds' | 'changes'>(
  from: SqliteDatabase,
  table: Table,
  after: string | number,
): Generator<Rows<Table>> {
  let last = after;
  for (;;) {
    const rows = (
      table === 'guilds'
        ? from
            .select()
            .from(source.guilds)
            .where(gt(source.guilds.id, String(last)))
            .orderBy(asc(source.guilds.id))
            .limit(BATCH_ROWS)
            .all()
        : from
            .select()
            .from(source.changes)
            .where(gt(source.changes.revision, Number(last)))
            .orderBy(asc(source.changes.revision))
            .limit(BATCH_ROWS)
            .all()
    ) as Rows<Table>;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = 'guildId' in end ? end.revision : end.id;
    yield rows;
  }
}

/** Returns the copies of some rows, in their order. */
async function copiesOf(
  to: PostgresDatabase,
  table: 'guilds' | 'changes',
  rows: readonly Rows<typeof table>[number][],
) {
  if (table === 'guilds') {
    const ids = rows.map((row) => ('prefix' in row ? row.id : ''));
    const held = await to
      .select()
      .from(target.guilds)
      .where(sql`${target.guilds.id} = ANY(${sql.param(ids)}::text[])`);
    const byId = new Map(held.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }
  const [first, last] = [rows[0]?.revision ?? 0, rows.at(-1)?.revision ?? 0];
  return to
    .select()
    .from(target.changes)
    .where(sql`${target.changes.revision} BETWEEN ${first} AND ${last}`)
    .orderBy(asc(target.changes.revision));
}
