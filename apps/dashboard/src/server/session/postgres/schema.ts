import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core';

const time = (name: string) => bigint(name, { mode: 'number' });

/** Sessions of people. `SessionRow` has the meaning of the columns. */
export const sessions = pgTable(
  'dashboard_sessions',
  {
    idHash: text('id_hash').primaryKey(),
    publicId: text('public_id').notNull().unique(),
    userId: text('user_id').notNull(),
    userName: text('user_name').notNull(),
    userAvatar: text('user_avatar'),
    locale: text('locale'),
    device: text('device').notNull(),
    startedAt: time('started_at').notNull(),
    lastUsedAt: time('last_used_at').notNull(),
    tokens: text('tokens').notNull(),
    tokensExpireAt: time('tokens_expire_at').notNull(),
    tokensVersion: integer('tokens_version').notNull(),
    /** The attempt that may replace the tokens, and until when. */
    leaseHolder: text('lease_holder'),
    leaseUntil: time('lease_until'),
  },
  (table) => [
    index('dashboard_sessions_user').on(table.userId),
    index('dashboard_sessions_last_used').on(table.lastUsedAt),
  ],
);
