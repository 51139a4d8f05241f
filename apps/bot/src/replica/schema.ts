import type { Guild } from '@guild-settings/contract';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The record of each guild of this process's shards, as of a revision. */
export const records = sqliteTable('records', {
  guildId: text('guild_id').primaryKey(),
  revision: integer().notNull(),
  /** Counts the resets: what is still of an older generation when the replica is live is no more. */
  generation: integer().notNull(),
  record: text({ mode: 'json' }).$type<Guild>().notNull(),
});

/** The replica's one row about itself. */
export const position = sqliteTable('position', {
  id: integer().primaryKey(),
  epoch: text().notNull(),
  revision: integer().notNull(),
  generation: integer().notNull(),
  /** When it last knew itself to be up to date, in milliseconds since 1970; null: never yet. */
  liveAt: integer('live_at'),
});
