import type { AccessEntry, SetValues, Shard } from '@guild-settings/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Change, Presence, UnsetFields } from '../guild-store.ts';
import type { ErasureKind, RejectedChange, ServedDeclaration, WatcherRun } from '../store.ts';

const int53 = (name: string) => bigint(name, { mode: 'number' });

export const guilds = pgTable(
  'guilds',
  {
    id: text().primaryKey(),
    name: text(),
    icon: text(),
    settings: jsonb().$type<SetValues>().notNull(),
    revision: int53('revision').notNull(),
    access: jsonb().$type<readonly AccessEntry[]>(),
    /** Revision of the last change of the access list, which is not part of `revision`; null: never changed. */
    accessRevision: int53('access_revision'),
    presence: text().$type<Presence>().notNull(),
    leftAt: int53('left_at'),
    updatedAt: int53('updated_at').notNull(),
    loggedDay: integer('logged_day').notNull().default(0),
    loggedBytes: int53('logged_bytes').notNull().default(0),
  },
  (table) => [
    index('guilds_revision').on(table.revision),
    index('guilds_access_revision').on(table.accessRevision).where(sql`access_revision IS NOT NULL`),
    index('guilds_left_at').on(table.leftAt).where(sql`left_at IS NOT NULL`),
  ],
);

export const changes = pgTable(
  'changes',
  {
    revision: int53('revision').primaryKey(),
    guildId: text('guild_id').notNull(),
    at: int53('at').notNull(),
    actorKind: text('actor_kind').$type<Change['actor']['kind']>().notNull(),
    actorId: text('actor_id').notNull(),
    origin: text().$type<Change['origin']>().notNull(),
    reason: text(),
    before: jsonb().$type<Change['before']>().notNull(),
    after: jsonb().$type<Change['after']>().notNull(),
    unset: jsonb().$type<UnsetFields>(),
    target: int53('target'),
    undoneBy: int53('undone_by'),
  },
  (table) => [
    index('changes_guild').on(table.guildId, table.revision),
    index('changes_at').on(table.at),
    index('changes_author').on(table.actorId, table.revision).where(sql`actor_kind = 'user' AND actor_id <> ''`),
  ],
);

/** A single row about the database itself. Every write transaction locks it, which serializes writers. */
export const meta = pgTable(
  'meta',
  {
    id: integer().primaryKey(),
    databaseId: text('database_id').notNull(),
    lastRevision: int53('last_revision').notNull(),
    oldestRevision: int53('oldest_revision').notNull(),
    retentionRanAt: int53('retention_ran_at'),
    erasureKey: text('erasure_key'),
    declaration: jsonb().$type<ServedDeclaration>(),
  },
  (table) => [check('meta_one_row', sql`${table.id} = 1`)],
);

/**
 * Histories of the database. One begins each time the server is started or the tables are restored, at the revision
 * found then. A cursor of an epoch is valid up to the revision at which the next epoch began; beyond it, the cursor
 * belongs to a history that this database does not contain.
 */
export const epochs = pgTable(
  'epochs',
  {
    number: integer().primaryKey().generatedByDefaultAsIdentity(),
    epoch: text().notNull(),
    since: int53('since').notNull(),
    /** Identifies the run of the server for all processes; null for an epoch copied from a SQLite file. */
    serverRun: text('server_run'),
  },
  (table) => [uniqueIndex('epochs_epoch').on(table.epoch), uniqueIndex('epochs_server_run').on(table.serverRun)],
);

export const presenceReports = pgTable(
  'presence_reports',
  {
    shardId: integer('shard_id').notNull(),
    shardCount: integer('shard_count').notNull(),
    at: int53('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.shardId, table.shardCount] })],
);

export const tokenChecks = pgTable('token_checks', {
  tokenHash: text('token_hash').primaryKey(),
  applicationId: text('application_id').notNull(),
  checkedAt: int53('checked_at').notNull(),
  expiresAt: int53('expires_at').notNull(),
});

export const erasures = pgTable(
  'erasures',
  {
    /** Random. Also identifies the erasure in the ledger. */
    id: text().primaryKey(),
    kind: text().$type<ErasureKind>().notNull(),
    hash: text().notNull(),
    at: int53('at').notNull(),
    revision: int53('revision').notNull(),
    wasPresent: boolean('was_present').notNull(),
    /** True: the erasure was requested, and the row is kept. False: retention erased the guild. */
    isRequested: boolean('is_requested').notNull(),
    sealed: text(),
  },
  (table) => [
    index('erasures_hash').on(table.hash, table.revision),
    index('erasures_unfinished').on(table.kind).where(sql`sealed IS NOT NULL`),
  ],
);

/** Ledgers of erasures, up to the last line that the database has seen. A file with fewer lines is refused. */
export const ledgers = pgTable('ledgers', {
  id: text().primaryKey(),
  lines: int53('lines').notNull(),
  chain: text().notNull(),
});

/** Watchers: processes that follow the guilds, with their positions. */
export const watchers = pgTable(
  'watchers',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    shards: jsonb().$type<readonly Shard[]>().notNull(),
    registration: int53('registration').notNull(),
    /** Number of the last change of the row, greater than those of all earlier changes. */
    version: int53('version').notNull(),
    epoch: text().notNull(),
    revision: int53('revision').notNull(),
    rejected: jsonb().$type<readonly RejectedChange[]>().notNull(),
    isConnected: boolean('is_connected').notNull(),
    /** The last time at which it was marked as connected, in milliseconds since 1970 by the clock of the database. */
    seenAt: int53('seen_at').notNull(),
    run: jsonb().$type<WatcherRun>(),
  },
  (table) => [index('watchers_version').on(table.version)],
);

/** Sessions of people who have logged in on the page. `SessionRow` documents the columns. */
export const sessions = pgTable(
  'sessions',
  {
    idHash: text('id_hash').primaryKey(),
    publicId: text('public_id').notNull(),
    userId: text('user_id').notNull(),
    userName: text('user_name').notNull(),
    userAvatar: text('user_avatar'),
    locale: text(),
    device: text().notNull(),
    startedAt: int53('started_at').notNull(),
    lastUsedAt: int53('last_used_at').notNull(),
    tokens: text().notNull(),
    tokensExpireAt: int53('tokens_expire_at').notNull(),
    tokensVersion: integer('tokens_version').notNull(),
    leaseHolder: text('lease_holder'),
    leaseUntil: int53('lease_until'),
    /**
     * Identifies the table in which the session was started: a restored dump is another table, in which the session is
     * void.
     */
    madeIn: text('made_in').notNull(),
  },
  (table) => [
    uniqueIndex('sessions_public_id').on(table.publicId),
    index('sessions_user').on(table.userId),
    index('sessions_last_used').on(table.lastUsedAt),
  ],
);
