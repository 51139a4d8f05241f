import type { RecordSettings } from '@guild-settings/contract';
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A reason why a reminder cannot be delivered and is not retried. */
export type ReminderFailure = 'channel-gone' | 'forbidden';

export const reminders = sqliteTable(
  'reminders',
  {
    /** The number that users see. No number is used twice. */
    id: integer().primaryKey({ autoIncrement: true }),
    guildId: text('guild_id').notNull(),
    channelId: text('channel_id').notNull(),
    userId: text('user_id').notNull(),
    text: text().notNull(),
    /** The time at which the user wants to be reminded. */
    dueAt: integer('due_at').notNull(),
    timeZone: text('time_zone').notNull(),
    /** The guild's language when the reminder was created. */
    language: text().$type<RecordSettings['language']>().notNull(),
    /** The recurrence; null: the reminder does not repeat. */
    every: text({ mode: 'json' }).$type<Recurrence>(),
    /** Discord recognises a second try to post the message for `due_at` by it. */
    nonce: text().notNull(),
    /** The time of the next try; null: never. */
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

/** Repeats after some minutes, or each day at a time of day. */
export type Recurrence =
  | { readonly kind: 'interval'; readonly minutes: number }
  | { readonly kind: 'daily'; readonly hour: number; readonly minute: number };
