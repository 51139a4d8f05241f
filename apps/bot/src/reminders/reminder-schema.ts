import type { RecordSettings } from '@guild-settings/contract';
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A reason why a reminder cannot be delivered and is not retried. */
export type ReminderFailure = 'channel-gone' | 'forbidden';

export const reminders = sqliteTable(
  'reminders',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    guildId: text('guild_id').notNull(),
    channelId: text('channel_id').notNull(),
    userId: text('user_id').notNull(),
    text: text().notNull(),
    dueAt: integer('due_at').notNull(),
    timeZone: text('time_zone').notNull(),
    language: text().$type<RecordSettings['language']>().notNull(),
    every: text({ mode: 'json' }).$type<Recurrence>(),
    /** Lets Discord recognise a second attempt to post the message for `due_at`. */
    nonce: text().notNull(),
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

/** Repeats after some minutes, or daily at a time of day. */
export type Recurrence =
  | { readonly kind: 'interval'; readonly minutes: number }
  | { readonly kind: 'daily'; readonly hour: number; readonly minute: number };
