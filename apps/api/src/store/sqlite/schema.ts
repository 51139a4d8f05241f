import type { AccessEntry, SetValues, Shard } from '@guild-settings/contract';
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Change, Presence, UnsetFields } from '../guild-store.ts';
import type { ErasureKind, RejectedChange, ServedDeclaration, WatcherRun } from '../store.ts';

export const guilds = sqliteTable(
  'guilds',
  {
    id: text().primaryKey(),
    name: text(),
    icon: text(),
    settings: text({ mode: 'json' }).$type<SetValues>().notNull(),
    revision: integer().notNull(),
    access: text({ mode: 'json' }).$type<readonly AccessEntry[]>(),
    /** Revision of the last change of the access list, which is not part of `revision`; null: never changed. */
    accessRevision: integer('access_revision'),
    presence: text().$type<Presence>().notNull(),
    leftAt: integer('left_at'),
    updatedAt: integer('updated_at').notNull(),
    /** The UTC day that `logged_bytes` counts, in days since 1970. */
    loggedDay: integer('logged_day').notNull().default(0),
    /** Bytes that settings changes added to the change log on that day. */
    loggedBytes: integer('logged_bytes').notNull().default(0),
  },
  (table) => [
    index('guilds_revision').on(table.revision),
    index('guilds_access_revision').on(table.accessRevision).where(sql`access_revision IS NOT NULL`),
    index('guilds_left_at').on(table.leftAt).where(sql`left_at IS NOT NULL`),
  ],
);

export const changes = sqliteTable(
  'changes',
  {
    revision: integer().primaryKey(),
    guildId: text('guild_id').notNull(),
    at: integer().notNull(),
    actorKind: text('actor_kind').$type<Change['actor']['kind']>().notNull(),
    actorId: text('actor_id').notNull(),
    origin: text().$type<Change['origin']>().notNull(),
    reason: text(),
    before: text({ mode: 'json' }).$type<Change['before']>().notNull(),
    after: text({ mode: 'json' }).$type<Change['after']>().notNull(),
    unset: text({ mode: 'json' }).$type<UnsetFields>(),
    target: integer(),
    undoneBy: integer('undone_by'),
  },
  (table) => [
    index('changes_guild').on(table.guildId, table.revision),
    index('changes_at').on(table.at),
    index('changes_author').on(table.actorId, table.revision).where(sql`actor_kind = 'user' AND actor_id <> ''`),
  ],
);

/** A single row about the database itself. */
export const meta = sqliteTable(
  'meta',
  {
    id: integer().primaryKey(),
    /** UUID of the database. The column name is older than epochs. */
    databaseId: text('database_id').notNull(),
    lastRevision: integer('last_revision').notNull(),
    oldestRevision: integer('oldest_revision').notNull(),
    /** Last run of retention with a plausible clock, in milliseconds since 1970; null: never. */
    retentionRanAt: integer('retention_ran_at'),
    /** Key of the hashes and encrypted ids of erasures; null until a process has opened the database. */
    erasureKey: text('erasure_key'),
    /** Tag and kinds of the declaration that the database was last served with; null: none. */
    declaration: text({ mode: 'json' }).$type<ServedDeclaration>(),
  },
  (table) => [check('meta_one_row', sql`${table.id} = 1`)],
);

/**
 * Histories of the database. One begins each time a process opens it, at the revision found then. A cursor of an epoch
 * is valid up to the revision at which the next epoch began; beyond it, the cursor belongs to a history that this file
 * does not contain, because the file was replaced by an older copy.
 */
export const epochs = sqliteTable(
  'epochs',
  {
    number: integer().primaryKey({ autoIncrement: true }),
    epoch: text().notNull(),
    since: integer().notNull(),
  },
  (table) => [uniqueIndex('epochs_epoch').on(table.epoch)],
);

export const presenceReports = sqliteTable(
  'presence_reports',
  {
    shardId: integer('shard_id').notNull(),
    shardCount: integer('shard_count').notNull(),
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.shardId, table.shardCount] })],
);

export const tokenChecks = sqliteTable('token_checks', {
  tokenHash: text('token_hash').primaryKey(),
  applicationId: text('application_id').notNull(),
  checkedAt: integer('checked_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
});

/** Erasures of guilds and of people, by keyed hashes of their ids. */
export const erasures = sqliteTable(
  'erasures',
  {
    /** Random. Also identifies the erasure in the ledger. */
    id: text().primaryKey(),
    kind: text().$type<ErasureKind>().notNull(),
    hash: text().notNull(),
    at: integer().notNull(),
    revision: integer().notNull(),
    wasPresent: integer('was_present', { mode: 'boolean' }).notNull(),
    /** True: the erasure was requested, and the row is kept. False: retention erased the guild. */
    isRequested: integer('is_requested', { mode: 'boolean' }).notNull(),
    /** The encrypted id while rows remain to be erased; then null. */
    sealed: text(),
  },
  (table) => [
    index('erasures_hash').on(table.hash, table.revision),
    index('erasures_unfinished').on(table.kind).where(sql`sealed IS NOT NULL`),
  ],
);

/** Ledgers of erasures, up to the last line that the database has seen. A file with fewer lines is refused. */
export const ledgers = sqliteTable('ledgers', {
  id: text().primaryKey(),
  lines: integer().notNull(),
  chain: text().notNull(),
});

/** Watchers: processes that follow the guilds, with their positions. */
export const watchers = sqliteTable('watchers', {
  id: text().primaryKey(),
  name: text().notNull(),
  shards: text({ mode: 'json' }).$type<readonly Shard[]>().notNull(),
  registration: integer().notNull(),
  /** Number of the last change of the row, greater than those of all earlier changes. */
  version: integer().notNull(),
  /**
   * The cursor up to which it has acknowledged, and its rejections. Only written if several processes share the
   * database.
   */
  epoch: text().notNull(),
  revision: integer().notNull(),
  rejected: text({ mode: 'json' }).$type<readonly RejectedChange[]>().notNull(),
  isConnected: integer('is_connected', { mode: 'boolean' }).notNull(),
  /** The last time at which it was marked as connected, in milliseconds since 1970 by the clock of the database. */
  seenAt: integer('seen_at').notNull(),
  run: text({ mode: 'json' }).$type<WatcherRun>(),
});

/** Sessions of people who have logged in on the page. `SessionRow` documents the columns. */
export const sessions = sqliteTable(
  'sessions',
  {
    idHash: text('id_hash').primaryKey(),
    publicId: text('public_id').notNull(),
    userId: text('user_id').notNull(),
    userName: text('user_name').notNull(),
    userAvatar: text('user_avatar'),
    locale: text(),
    device: text().notNull(),
    startedAt: integer('started_at').notNull(),
    lastUsedAt: integer('last_used_at').notNull(),
    tokens: text().notNull(),
    tokensExpireAt: integer('tokens_expire_at').notNull(),
    tokensVersion: integer('tokens_version').notNull(),
    leaseHolder: text('lease_holder'),
    leaseUntil: integer('lease_until'),
  },
  (table) => [
    uniqueIndex('sessions_public_id').on(table.publicId),
    index('sessions_user').on(table.userId),
    index('sessions_last_used').on(table.lastUsedAt),
  ],
);
