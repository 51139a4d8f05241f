import { existsSync } from 'node:fs';
import { and, asc, count, gt, inArray, lt, lte, max, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  hasNewerSchema as isNewerTarget,
  openPool,
  type PostgresDatabase,
  requireMigrated,
  UNFINISHED,
} from './postgres/database.ts';
import * as target from './postgres/schema.ts';
import { canonical } from './rows.ts';
import { lockDatabase } from './sqlite/admit-file.ts';
import { hasNewerSchema as isNewerFile, openDatabase, type SqliteDatabase } from './sqlite/database.ts';
import * as source from './sqlite/schema.ts';

interface Copied {
  readonly guilds: number;
  readonly changes: number;
  readonly revision: number;
}

interface CopyOptions {
  readonly path: string;
  readonly url: string;
  readonly onProgress: (progress: CopyProgress) => void;
}

/**
 * Copies a SQLite database into a migrated PostgreSQL database, or continues an interrupted copy. Compares all rows at
 * the end.
 * @throws CopyRefusedError when the target has other data, or differs after the copy
 */
export async function copyDatabase({ path, url, onProgress }: CopyOptions): Promise<Copied> {
  if (!existsSync(path)) throw new CopyRefusedError(`Expected a database at ${path}, found no file. Check --from.`);
  const release = lockDatabase(path, 'Stop that process first: its writes during the copy would be missing.');
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
    await requireKnownSchemas(from, to);
    // Prevents other processes from writing to the file during the copy.
    from.$client.exec('BEGIN IMMEDIATE');
    return await copy(from, to, onProgress);
  } finally {
    if (from.$client.inTransaction) from.$client.exec('ROLLBACK');
    from.$client.close();
    await to.$client.end();
  }
}

/** Refuses newer schemas, which would be copied only partly, and a target that is not migrated. */
async function requireKnownSchemas(from: SqliteDatabase, to: PostgresDatabase): Promise<void> {
  await requireMigrated(to);
  const newer = [isNewerFile(from) && 'The file', (await isNewerTarget(to)) && 'The target'].find(Boolean);
  if (newer)
    throw new CopyRefusedError(
      `${newer} has a newer schema than this version. Run the copy command of the newer version.`,
    );
}

async function copy(
  from: SqliteDatabase,
  to: PostgresDatabase,
  onProgress: CopyOptions['onProgress'],
): Promise<Copied> {
  const meta = from.select().from(source.meta).get();
  if (meta === undefined) throw new CopyRefusedError('The file is not a database of this service. Check --from.');
  await claim(to, meta.databaseId);
  await deletePruned(from, to, meta.oldestRevision);
  for (const table of [CHANGES, GUILDS]) await copyTable(from, to, table, onProgress);
  await copySmall(from, to);
  const changes = await compareTable(from, to, CHANGES, onProgress);
  const guilds = await compareTable(from, to, GUILDS, onProgress);
  await to.update(target.meta).set(meta);
  return { guilds, changes, revision: meta.lastRevision };
}

/** Marks an empty target as an unfinished copy, so that no api starts on it. */
async function claim(to: PostgresDatabase, databaseId: string): Promise<void> {
  const claimed = `${UNFINISHED}${databaseId}`;
  const row = { id: 1, databaseId: claimed, lastRevision: 0, oldestRevision: 1 };
  const [held] = await to.select().from(target.meta);
  const [guilds] = await to.select({ n: count() }).from(target.guilds);
  if (held === undefined && guilds?.n === 0) await to.insert(target.meta).values(row);
  else if (held?.databaseId !== claimed) {
    throw new CopyRefusedError(
      'The target is in use: it has a database, or the unfinished copy of another one. Choose an empty database with --to.',
    );
  }
}

/** Deletes changes that an interrupted copy has copied and that the file no longer has. */
async function deletePruned(from: SqliteDatabase, to: PostgresDatabase, oldestRevision: number): Promise<void> {
  const { revision } = target.changes;
  for (let after = 0; ; ) {
    const below = and(gt(revision, after), lt(revision, oldestRevision));
    const copied = await to
      .select({ revision })
      .from(target.changes)
      .where(below)
      .orderBy(asc(revision))
      .limit(BATCH_ROWS);
    const last = copied.at(-1)?.revision;
    if (last === undefined) return;
    const held = from
      .select({ revision: source.changes.revision })
      .from(source.changes)
      .where(and(gt(source.changes.revision, after), lte(source.changes.revision, last)))
      .all();
    const kept = new Set(held.map((row) => row.revision));
    const pruned = copied.map((row) => row.revision).filter((one) => !kept.has(one));
    if (pruned.length > 0) await to.delete(target.changes).where(inArray(revision, pruned));
    after = last;
  }
}

/** Copies epochs, presence reports, erasures and seen ledgers completely: they are few. */
async function copySmall(from: SqliteDatabase, to: PostgresDatabase): Promise<void> {
  const epochs = from.select().from(source.epochs).orderBy(asc(source.epochs.number)).all();
  const reports = from.select().from(source.presenceReports).all();
  const erasures = from.select().from(source.erasures).all();
  const ledgers = from.select().from(source.ledgers).all();
  await to.transaction(async (tx) => {
    await tx.delete(target.epochs);
    await tx.delete(target.presenceReports);
    await tx.delete(target.erasures);
    await tx.delete(target.ledgers);
    for (let start = 0; start < epochs.length; start += BATCH_ROWS) {
      await tx.insert(target.epochs).values(epochs.slice(start, start + BATCH_ROWS));
    }
    for (let start = 0; start < erasures.length; start += BATCH_ROWS) {
      await tx.insert(target.erasures).values(erasures.slice(start, start + BATCH_ROWS));
    }
    if (reports.length > 0) await tx.insert(target.presenceReports).values(reports);
    if (ledgers.length > 0) await tx.insert(target.ledgers).values(ledgers);
    // The next epoch gets a number after the copied ones.
    await tx.execute(
      sql`SELECT setval(pg_get_serial_sequence('epochs', 'number'), greatest(1, (SELECT max(number) FROM epochs)))`,
    );
  });
}

const BATCH_ROWS = 1_000;

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

const CHANGES: CopiedTable = {
  name: 'changes',
  source: source.changes,
  target: target.changes,
  sourceKey: source.changes.revision,
  targetKey: target.changes.revision,
  key: 'revision',
};

const GUILDS: CopiedTable = {
  name: 'guilds',
  source: source.guilds,
  target: target.guilds,
  sourceKey: source.guilds.id,
  targetKey: target.guilds.id,
  key: 'id',
};

/** Copies the rows of a table after the last copied one. */
async function copyTable(
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

async function compareTable(
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
      `Expected ${total} rows in ${table.name} after the copy, found ${held?.n}. Empty the target and copy again.`,
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

/** The copy is not possible. Existing data was not changed. */
export class CopyRefusedError extends Error {
  override readonly name = 'CopyRefusedError';
}
