import type { GuildId } from '@guild-settings/contract';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const recordTable = (name: string) =>
  sqliteTable(name, {
    guildId: text('guild_id').$type<GuildId>().primaryKey(),
    revision: integer().notNull(),
    /** What is set, as JSON. It stays text here: a record that cannot be read must not stop a reset. */
    record: text().notNull(),
    /** Whether the service has said what is set. Without a declaration it does not, and every field counts as set. */
    isSparse: integer('is_sparse', { mode: 'boolean' }).notNull(),
  });

export type RecordTable = ReturnType<typeof recordTable>;

/** The record of each guild as of a revision. */
export const records = recordTable('records');

/** The records of after a reset, until they replace the others. */
export const staged = recordTable('staged');

/** One row: how far the replica has followed the service. */
export const position = sqliteTable('position', {
  /** Null: all records are fetched again. */
  epoch: text(),
  revision: integer().notNull(),
  /** The number of resets. */
  generation: integer().notNull(),
  isStaging: integer('is_staging', { mode: 'boolean' }).notNull(),
  /** When the replica was last up to date, in milliseconds since 1970; null: never. */
  liveAt: integer('live_at'),
  /** Names the guilds that it follows. */
  scope: text().notNull(),
  /** The epoch that is held back; null: none is. */
  heldEpoch: text('held_epoch'),
  heldForMs: integer('held_for_ms').notNull(),
});

/** The records that could not be read, by guild. */
export const rejected = sqliteTable('rejected', {
  /** Empty where the id could not be read either. */
  guild: text('guild_id').$type<GuildId>().primaryKey(),
  revision: integer().notNull(),
  generation: integer().notNull(),
  reason: text().notNull(),
});

/** One row, or none: what the service declares. */
export const declaration = sqliteTable('declaration', {
  tag: text().notNull(),
  /** JSON. */
  declaration: text().notNull(),
});

/** One row: the id by which the service knows the process of this file. */
export const watcher = sqliteTable('watcher', { id: text().notNull() });
