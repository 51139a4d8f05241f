import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Sessions of people. `SessionRow` has the meaning of the columns. */
export const sessions = sqliteTable(
  'sessions',
  {
    idHash: text('id_hash').primaryKey(),
    publicId: text('public_id').notNull().unique(),
    userId: text('user_id').notNull(),
    userName: text('user_name').notNull(),
    userAvatar: text('user_avatar'),
    locale: text('locale'),
    device: text('device').notNull(),
    startedAt: integer('started_at').notNull(),
    lastUsedAt: integer('last_used_at').notNull(),
    tokens: text('tokens').notNull(),
    tokensExpireAt: integer('tokens_expire_at').notNull(),
    tokensVersion: integer('tokens_version').notNull(),
    /** The attempt that may replace the tokens, and until when. */
    leaseHolder: text('lease_holder'),
    leaseUntil: integer('lease_until'),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_last_used').on(table.lastUsedAt)],
);
