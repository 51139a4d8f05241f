import type { GuildSettings } from '@guild-settings/contract';
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
import type { Change, Presence } from '../store.ts';

/** Whole numbers up to 2^53: revisions, and milliseconds since 1970. */
const whole = (name: string) => bigint(name, { mode: 'number' });

/** One row a guild: its settings, what Discord says of it, and whether the bot is in it. */
export const guilds = pgTable(
  'guilds',
  {
    id: text().primaryKey(),
    name: text(),
    icon: text(),
    prefix: text().notNull(),
    announcementChannel: text('announcement_channel').notNull(),
    beta: boolean().notNull(),
    language: text().$type<GuildSettings['language']>().notNull(),
    enabledFeatures: jsonb('enabled_features').$type<string[]>().notNull(),
    revision: whole('revision').notNull(),
    presence: text().$type<Presence>().notNull(),
    leftAt: whole('left_at'),
    updatedAt: whole('updated_at').notNull(),
    /** The UTC day, in days since 1970, that `logged_bytes` counts. */
    loggedDay: integer('logged_day').notNull().default(0),
    /** Bytes that settings changes added to the change log on that day. */
    loggedBytes: whole('logged_bytes').notNull().default(0),
  },
  (table) => [
    index('guilds_revision').on(table.revision),
    index('guilds_left_at').on(table.leftAt).where(sql`left_at IS NOT NULL`),
  ],
);

/** The change log: one row a revision. */
export const changes = pgTable(
  'changes',
  {
    revision: whole('revision').primaryKey(),
    guildId: text('guild_id').notNull(),
    at: whole('at').notNull(),
    actorKind: text('actor_kind').$type<Change['actor']['kind']>().notNull(),
    actorId: text('actor_id').notNull(),
    origin: text().$type<Change['origin']>().notNull(),
    reason: text(),
    before: jsonb().$type<Change['before']>().notNull(),
    /** Null: the guild was erased. */
    after: jsonb().$type<Change['after']>(),
  },
  (table) => [index('changes_guild').on(table.guildId, table.revision), index('changes_at').on(table.at)],
);

/** The database's one row about itself. Every write transaction locks it, which puts writers in order. */
export const meta = pgTable(
  'meta',
  {
    id: integer().primaryKey(),
    /** UUID of the database. The column has a name from before there were epochs. */
    databaseId: text('epoch').notNull(),
    lastRevision: whole('last_revision').notNull(),
    /** The oldest revision that the change log still reaches back to. */
    oldestRevision: whole('oldest_revision').notNull(),
    /** When retention last ran by a plausible clock, in milliseconds since 1970; null: never. */
    retentionRanAt: whole('retention_ran_at'),
  },
  (table) => [check('meta_one_row', sql`${table.id} = 1`)],
);

/**
 * Histories of the database: one begins each time that the server was started or the tables were restored, at the revision
 * that is found then. A cursor of an epoch is valid up to the revision at which the next one began. Beyond that revision the
 * cursor belongs to a history that this database does not hold.
 */
export const epochs = pgTable(
  'epochs',
  {
    number: integer().primaryKey().generatedByDefaultAsIdentity(),
    epoch: text().notNull(),
    since: whole('since').notNull(),
    /** Identifies the run of the server, for every process alike; null for an epoch that was copied from a SQLite file. */
    serverRun: text('server_run'),
  },
  (table) => [uniqueIndex('epochs_epoch').on(table.epoch), uniqueIndex('epochs_server_run').on(table.serverRun)],
);

/** Which shards have ever reported their guilds. */
export const presenceReports = pgTable(
  'presence_reports',
  {
    shardId: integer('shard_id').notNull(),
    shardCount: integer('shard_count').notNull(),
    at: whole('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.shardId, table.shardCount] })],
);

/** The shard counts for which `shard_guilds` is kept. */
export const shardCounts = pgTable('shard_counts', {
  count: integer().primaryKey(),
  /** The guild id up to which guilds from before the count was added are listed; null: all are. */
  filledTo: text('filled_to'),
});

/**
 * The stored guilds of each shard, for the shard counts in use. A trigger adds a guild when its row is inserted and
 * removes it when the row is deleted, so that an older version of the service keeps the list, too.
 */
export const shardGuilds = pgTable(
  'shard_guilds',
  {
    shardCount: integer('shard_count').notNull(),
    shardId: integer('shard_id').notNull(),
    guildId: text('guild_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.shardCount, table.shardId, table.guildId] })],
);

/** When tokens of the application were last found good, by their hashes. */
export const tokenChecks = pgTable('token_checks', {
  tokenHash: text('token_hash').primaryKey(),
  applicationId: text('application_id').notNull(),
  checkedAt: whole('checked_at').notNull(),
  expiresAt: whole('expires_at').notNull(),
});
