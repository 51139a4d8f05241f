import type { GuildId } from '@guild-settings/contract';
import { eq, sql } from 'drizzle-orm';
import type { GuildStamp } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import { changes, guilds, meta, presenceReports } from './schema.ts';

/** The statements of every request, prepared once. */
export function prepareStatements(db: SqliteDatabase) {
  const value = sql.placeholder;
  const guild = {
    id: value('id'),
    name: value('name'),
    icon: value('icon'),
    prefix: value('prefix'),
    announcementChannel: value('announcementChannel'),
    beta: value('beta'),
    language: value('language'),
    enabledFeatures: value('enabledFeatures'),
    revision: value('revision'),
    presence: value('presence'),
    leftAt: value('leftAt'),
    updatedAt: value('updatedAt'),
  };
  return {
    readGuild: db
      .select()
      .from(guilds)
      .where(eq(guilds.id, value('id')))
      .prepare(),
    writeGuild: db
      .insert(guilds)
      .values(guild)
      .onConflictDoUpdate({ target: guilds.id, set: excluded(guild) })
      .prepare(),
    writeChange: db
      .insert(changes)
      .values({
        revision: value('revision'),
        guildId: value('guildId'),
        at: value('at'),
        actorKind: value('actorKind'),
        actorId: value('actorId'),
        origin: value('origin'),
        reason: value('reason'),
        before: value('before'),
        after: value('after'),
      })
      .prepare(),
    readMeta: db.select().from(meta).prepare(),
    writeLastRevision: db
      .update(meta)
      .set({ lastRevision: sql`${value('revision')}` })
      .prepare(),
    reportedShards: db
      .select({ id: presenceReports.shardId, count: presenceReports.shardCount })
      .from(presenceReports)
      .prepare(),
  };
}

/** Reads stamps: one a request, so past drizzle, which maps each column. */
export function prepareReadStamp({ $client }: SqliteDatabase): (guildId: GuildId) => GuildStamp | null {
  const statement = $client.prepare<[GuildId], GuildStamp>(
    'SELECT revision, updated_at AS updatedAt, presence FROM guilds WHERE id = ?',
  );
  return (guildId) => statement.get(guildId) ?? null;
}

/** `SET column = excluded.column` for every column but the key. */
function excluded(columns: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.keys(columns)
      .filter((name) => name !== 'id')
      .map((name) => [name, sql.raw(`excluded."${guilds[name as keyof typeof guilds.$inferSelect].name}"`)]),
  );
}
