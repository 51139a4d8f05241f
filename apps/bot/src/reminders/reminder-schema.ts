import type { Guild, GuildSettings } from '@guild-settings/contract';
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
  /** The last generation of which everything was there; null: not known. */
  complete: integer(),
  /** When it last knew itself to be up to date, in milliseconds since 1970; null: never yet. */
  liveAt: integer('live_at'),
  /** Which guilds it follows; a position among other guilds is none. */
  scope: text().notNull().default('all'),
  /** The epoch whose records are kept back until they are confirmed; null: none is. */
  heldEpoch: text('held_epoch'),
  /** For how long the service has offered them, in milliseconds. */
  heldForMs: integer('held_for_ms').notNull().default(0),
});

/** The records that came after a reset, until they take the place of the others. */
export const staged = sqliteTable('staged', {
  guildId: text('guild_id').primaryKey(),
  revision: integer().notNull(),
  record: text({ mode: 'json' }).$type<Guild>().notNull(),
});

/** Why a reminder could not be delivered, and will not be tried again. */
export type ReminderFailure = 'channel-gone' | 'forbidden';

/** What people asked to be reminded of. Times are in milliseconds since 1970. */
export const reminders = sqliteTable(
  'reminders',
  {
    /** The number that people see. Never given twice. */
    id: integer().primaryKey({ autoIncrement: true }),
    guildId: text('guild_id').notNull(),
    channelId: text('channel_id').notNull(),
    userId: text('user_id').notNull(),
    text: text().notNull(),
    /** When it was promised for. */
    dueAt: integer('due_at').notNull(),
    timeZone: text('time_zone').notNull(),
    /** The guild's when it was asked for. */
    language: text().$type<GuildSettings['language']>().notNull(),
    /** How it repeats; null: once. */
    every: text({ mode: 'json' }).$type<Recurrence>(),
    /** By which Discord knows the message for `due_at` again. */
    nonce: text().notNull(),
    /** When to send it next; null: never again. */
    nextTryAt: integer('next_try_at'),
    tries: integer().notNull().default(0),
    failure: text().$type<ReminderFailure>(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('reminders_next').on(table.nextTryAt, table.id).where(sql`${table.nextTryAt} IS NOT NULL`),
    index('reminders_of_person').on(table.guildId, table.userId),
  ],
);

/** Again after a time, or every day at a time of the day. */
export type Recurrence =
  | { readonly kind: 'interval'; readonly minutes: number }
  | { readonly kind: 'daily'; readonly hour: number; readonly minute: number };
