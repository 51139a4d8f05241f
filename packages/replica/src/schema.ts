import type { GuildId } from '@guild-settings/contract';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const recordTable = (name: string) =>
  sqliteTable(name, {
    guildId: text('guild_id').$type<GuildId>().primaryKey(),
    revision: integer().notNull(),
    /** The set values as JSON text: an unreadable record must not stop a reset. */
    record: text().notNull(),
    /**
     * True: the service has sent which values are set. Without a declaration it does not, and every field counts as
     * set.
     */
    isSparse: integer('is_sparse', { mode: 'boolean' }).notNull(),
  });

export type RecordTable = ReturnType<typeof recordTable>;

export const records = recordTable('records');

/** The records from after a reset, until they replace the others. */
export const staged = recordTable('staged');

/** A single row: the position of the replica in the changes of the service. */
export const position = sqliteTable('position', {
  epoch: text(),
  revision: integer().notNull(),
  generation: integer().notNull(),
  isStaging: integer('is_staging', { mode: 'boolean' }).notNull(),
  /** The last time when the replica was up to date, in milliseconds since 1970; null: never. */
  liveAt: integer('live_at'),
  /** Identifies the followed guilds. */
  scope: text().notNull(),
  heldEpoch: text('held_epoch'),
  heldForMs: integer('held_for_ms').notNull(),
});

export const rejected = sqliteTable('rejected', {
  /** Empty if the id was also unreadable. */
  guild: text('guild_id').$type<GuildId>().primaryKey(),
  revision: integer().notNull(),
  generation: integer().notNull(),
  reason: text().notNull(),
});

/** At most one row: the declaration of the service. */
export const declaration = sqliteTable('declaration', {
  tag: text().notNull(),
  declaration: text().notNull(),
});

/** A single row: the id with which the service identifies the process of this file. */
export const watcher = sqliteTable('watcher', { id: text().notNull() });
