import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GuildId, RejectedRecord, WatchedGuild } from '@guild-settings/contract';
import {
  CUSTOM,
  DeclaredSettings,
  isSameValue,
  type SetValues,
  SPECIFIED_SETTINGS,
} from '@guild-settings/contract/settings';
import { firstMigrationOf, makePrivate, makePrivateFolder } from '@guild-settings/runtime/sqlite-file';
import Database from 'better-sqlite3';
import { DrizzleError, eq, getTableColumns, lt, type Placeholder, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { TaggedDeclaration } from './declaration.ts';
import type { ResetLosses } from './replica-options.ts';
import * as schema from './schema.ts';
import { position, type RecordTable, records, rejected, staged } from './schema.ts';

/** The folder of the migration, beside `src` and `dist`. */
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** A bot may keep its own tables in the file, with its own migrations. */
const MIGRATIONS_TABLE = '__replica_migrations';

/** Longest wait for another connection's lock, in milliseconds. It blocks the event loop. */
const LOCK_TIMEOUT_MS = 100;

/** Pages of the write-ahead log before a checkpoint, 16 MB: it blocks the event loop for milliseconds. */
const CHECKPOINT_PAGES = 4_000;

/** Bytes of the file that are memory-mapped, which avoids a system call per page. */
const MAPPED_BYTES = 256 * 1_024 * 1_024;

type ReplicaDatabase = ReturnType<typeof openDatabase>['db'];

/** Opens the file of a replica, with the queries of its tables. */
export function openTables(path: string) {
  const { db, close } = openDatabase(path);
  try {
    return {
      db,
      close,
      current: recordQueries(db, records),
      incoming: recordQueries(db, staged),
      release: db.insert(records).select(db.select().from(staged)).prepare(),
      leave: db.delete(position).prepare(),
      move: db.insert(position).values(placeholders(position)).prepare(),
      aside: rejectedQueries(db),
      ofService: declarationQueries(db),
    };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Opens the file of a replica, creates it if it does not exist, and discards data of another schema version.
 *
 * The data can be fetched again, so a commit need not be flushed to disk: a power loss reverts the newest changes
 * together with the cursor, which fetches them again.
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
function openDatabase(path: string) {
  let client: Database.Database | undefined;
  const close = () => void client?.close();
  try {
    makePrivateFolder(dirname(path));
    makePrivate(path);
    client = new Database(path, { timeout: LOCK_TIMEOUT_MS });
    client.pragma('journal_mode = WAL');
    client.pragma(`mmap_size = ${MAPPED_BYTES}`);
    client.pragma('synchronous = NORMAL');
    client.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    return { db: createTables(client), close };
  } catch (error) {
    close();
    // Callers expect errors with the codes of SQLite.
    throw error instanceof DrizzleError ? error.cause : error;
  }
}

/**
 * Creates the tables. Tables of another migration are dropped, because their data can be fetched again. Other tables in
 * the file are not touched.
 */
function createTables(client: Database.Database) {
  const db = drizzle(client);
  const [migration] = readMigrationFiles({ migrationsFolder: MIGRATIONS });
  if (firstMigrationOf(client, MIGRATIONS_TABLE) !== migration?.hash) {
    db.transaction((tx) => {
      const tables = [...Object.values(schema), sql.identifier(MIGRATIONS_TABLE)];
      for (const table of tables) tx.run(sql`DROP TABLE IF EXISTS ${table}`);
    });
    migrate(db, { migrationsFolder: MIGRATIONS, migrationsTable: MIGRATIONS_TABLE });
  }
  return db;
}

/** Returns a placeholder for each column of a table, with the column's name in the schema. */
function placeholders<Table extends SQLiteTable>(table: Table) {
  const names = Object.keys(getTableColumns(table)).map((name) => [name, sql.placeholder(name)]);
  return Object.fromEntries(names) as { [Name in keyof Table['$inferSelect'] & string]: Placeholder<Name> };
}

function recordQueries(db: ReplicaDatabase, table: RecordTable) {
  const ofGuild = eq(table.guildId, sql.placeholder('guildId'));
  // A single text: rows for a hundred thousand guilds would take half of a bot's start. Uses only the index of the key.
  const guildIds = db
    .select({ all: sql<string | null>`group_concat(${table.guildId})` })
    .from(table)
    .prepare();
  const put = db
    .insert(table)
    .values(placeholders(table))
    .onConflictDoUpdate({
      target: table.guildId,
      set: { revision: sql`excluded.revision`, record: sql`excluded.record`, isSparse: sql`excluded.is_sparse` },
      setWhere: sql`excluded.revision > ${table.revision}`,
    })
    .prepare();
  return {
    guildIds: (): GuildId[] => guildIds.get()?.all?.split(',') ?? [],
    any: db.select({ guildId: table.guildId }).from(table).limit(1).prepare(),
    /** A record without information about which values are set. */
    anyWhole: db.select({ guildId: table.guildId }).from(table).where(eq(table.isSparse, false)).limit(1).prepare(),
    record: db.select({ record: table.record }).from(table).where(ofGuild).prepare(),
    /** Writes the set values of a guild. Returns false if the revision is not newer. */
    put(one: WatchedGuild): boolean {
      const record = JSON.stringify(setValuesOf(one));
      const isSparse = one.unset !== undefined;
      return put.run({ guildId: one.guild.id, revision: one.revision, record, isSparse }).changes > 0;
    },
    remove: db.delete(table).where(ofGuild).prepare(),
    clear: db.delete(table).prepare(),
  };
}

/**
 * Returns the set values of a guild by field, and its other fields unchanged: those of a later version, its name and
 * icon.
 */
function setValuesOf({ guild, unset = [] }: WatchedGuild): SetValues {
  const { custom = {}, ...fields } = guild;
  const values: Record<string, unknown> = fields;
  for (const field of unset) delete values[field];
  for (const [name, value] of Object.entries(custom)) values[`${CUSTOM}${name}`] = value;
  return values;
}

/** The guild of a record whose id is unreadable. */
const NO_GUILD = '';

/**
 * The records that were set aside because this version cannot read them, by guild, in the replica's file. A later
 * version fetches them again. The guild's previous record stays in use.
 */
function rejectedQueries(db: ReplicaDatabase) {
  const { guild, revision, reason } = rejected;
  const add = db
    .insert(rejected)
    .values(placeholders(rejected))
    .onConflictDoUpdate({
      target: guild,
      set: { revision: sql`excluded.revision`, generation: sql`excluded.generation`, reason: sql`excluded.reason` },
    })
    .prepare();
  // The record from before a reset, unless there is one from after it. Every revision after the reset is newer.
  const before = sql`SELECT guild_id, 0, record, is_sparse FROM ${records} WHERE guild_id = ${sql.placeholder('guild')}`;
  const keepStaged = db.insert(staged).select(before).onConflictDoNothing().prepare();
  return {
    load(): readonly RejectedRecord[] {
      const all = db.select({ guild, revision, reason }).from(rejected).orderBy(sql`rowid`).all();
      return all.map((record) => ({ ...record, guild: record.guild === NO_GUILD ? undefined : record.guild }));
    },
    add(record: RejectedRecord, generation: number, isStaging: boolean): void {
      const row = { ...record, guild: record.guild ?? NO_GUILD, generation };
      add.run(row);
      if (isStaging) keepStaged.run({ guild: row.guild });
    },
    remove: (guildId: GuildId) => db.delete(rejected).where(eq(guild, guildId)).run(),
    /** Deletes rejected records from before a reset, when all records of that reset were received. */
    removeOlder: (generation: number) => db.delete(rejected).where(lt(rejected.generation, generation)).run(),
  };
}

/** The declaration of the service in the replica's file; undefined: only the specified settings. */
function declarationQueries(db: ReplicaDatabase) {
  const table = schema.declaration;
  const clear = db.delete(table).prepare();
  const put = db.insert(table).values(placeholders(table)).prepare();
  return {
    load(): DeclaredSettings | undefined {
      const row = db.select().from(table).get();
      return row && new DeclaredSettings(JSON.parse(row.declaration), row.tag);
    },
    write(sent: TaggedDeclaration | undefined): void {
      clear.run();
      if (sent !== undefined) put.run({ tag: sent.tag, declaration: JSON.stringify(sent.declaration) });
    },
  };
}

/**
 * Returns the id with which the service identifies the process of a file. It stays the same for the lifetime of the
 * file.
 * @param known the id of the process, for a new file
 */
export function readWatcherId(db: ReplicaDatabase, known: string = randomUUID()): string {
  const { id } =
    db.select().from(schema.watcher).get() ?? db.insert(schema.watcher).values({ id: known }).returning().get();
  return id;
}

/**
 * Compares the records before a reset with those after it, for the followed guilds.
 * @param declared the settings that the service declares
 */
export function resetLosses(
  db: ReplicaDatabase,
  declared: DeclaredSettings,
  isFollowed: (guildId: GuildId) => boolean,
): ResetLosses {
  const losses = { held: 0, missing: 0, customized: 0, defaulted: 0 };
  const pairs = db
    .select({
      guildId: records.guildId,
      before: records.record,
      isSparse: records.isSparse,
      after: staged.record,
      isSparseAfter: staged.isSparse,
    })
    .from(records)
    .leftJoin(staged, eq(staged.guildId, records.guildId))
    .all();
  for (const { guildId, before, isSparse, after, isSparseAfter } of pairs) {
    if (!isFollowed(guildId)) continue;
    losses.held += 1;
    if (after === null) losses.missing += 1;
    if (isDefault(before, isSparse, declared)) continue;
    losses.customized += 1;
    if (after === null || (after !== before && isDefault(after, isSparseAfter, declared))) losses.defaulted += 1;
  }
  return losses;
}

function isDefault(record: string, isSparse: boolean, declared: DeclaredSettings): boolean {
  try {
    const set: SetValues = JSON.parse(record);
    if (isSparse) return declared.all.every(({ field }) => set[field] === undefined);
    return SPECIFIED_SETTINGS.all.every(({ field, default: value }) => isSameValue(set[field], value));
  } catch {
    return false;
  }
}
