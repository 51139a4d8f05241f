import type { GuildId } from '@guild-settings/contract';
import { eq, sql } from 'drizzle-orm';
import { placeholders, type ReplicaDatabase } from './database.ts';
import type { RecordTable } from './schema.ts';

/** Prepares the queries of a table of records. */
export function storedRecords(db: ReplicaDatabase, table: RecordTable) {
  const ofGuild = eq(table.guildId, sql.placeholder('guildId'));
  // The query reads the index of the key alone, a tenth of the table.
  const guildIds = db.select({ guildId: table.guildId }).from(table).prepare();
  return {
    // Rows as arrays: an object for each of a hundred thousand guilds would take most of a bot's start.
    guildIds: (): GuildId[] => guildIds.values().map(([guildId]) => guildId),
    any: db.select({ guildId: table.guildId }).from(table).limit(1).prepare(),
    /** A record without information about which values are set. */
    anyWhole: db.select({ guildId: table.guildId }).from(table).where(eq(table.isSparse, false)).limit(1).prepare(),
    record: db.select({ record: table.record }).from(table).where(ofGuild).prepare(),
    /** Writes newer revisions only. */
    put: db
      .insert(table)
      .values(placeholders(table))
      .onConflictDoUpdate({
        target: table.guildId,
        set: { revision: sql`excluded.revision`, record: sql`excluded.record`, isSparse: sql`excluded.is_sparse` },
        setWhere: sql`excluded.revision > ${table.revision}`,
      })
      .prepare(),
    remove: db.delete(table).where(ofGuild).prepare(),
    clear: db.delete(table).prepare(),
  };
}
