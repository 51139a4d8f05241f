import type { OwnCommands } from '@guild-settings/discord/framework';
import { and, eq } from 'drizzle-orm';
import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { BotDatabase } from './bot-database.ts';

/** Commands that the bot has registered, with the version assigned by Discord. */
export const registeredCommands = sqliteTable(
  'registered_commands',
  {
    applicationId: text('application_id').notNull(),
    id: text().notNull(),
    version: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.applicationId, table.id] })],
);

export function registeredCommandsIn(db: BotDatabase, applicationId: string): OwnCommands {
  const ofApplication = eq(registeredCommands.applicationId, applicationId);
  return {
    versions() {
      const rows = db.select().from(registeredCommands).where(ofApplication).all();
      return new Map(rows.map(({ id, version }) => [id, version]));
    },
    put({ id, version }) {
      const { applicationId: application, id: command } = registeredCommands;
      db.insert(registeredCommands)
        .values({ applicationId, id, version })
        .onConflictDoUpdate({ target: [application, command], set: { version } })
        .run();
    },
    remove(id) {
      db.delete(registeredCommands)
        .where(and(ofApplication, eq(registeredCommands.id, id)))
        .run();
    },
  };
}
