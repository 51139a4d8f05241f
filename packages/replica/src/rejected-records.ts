import type { GuildId, RejectedRecord } from '@guild-settings/contract';
import { eq, lt, sql } from 'drizzle-orm';
import { placeholders, type ReplicaDatabase } from './database.ts';
import { records, rejected, staged } from './schema.ts';

/** The guild of a record whose id cannot be read. */
const NO_GUILD = '';

/**
 * The records that were set aside because this version cannot read them, by guild, in the replica's file. A later version
 * fetches them again. The record that a guild had before stays in use.
 */
export function openRejectedRecords(db: ReplicaDatabase) {
  const { guild, revision, reason } = rejected;
  const all = db.select({ guild, revision, reason }).from(rejected).orderBy(sql`rowid`).prepare();
  const add = db
    .insert(rejected)
    .values(placeholders(rejected))
    .onConflictDoUpdate({
      target: guild,
      set: { revision: sql`excluded.revision`, generation: sql`excluded.generation`, reason: sql`excluded.reason` },
    })
    .prepare();
  const remove = db
    .delete(rejected)
    .where(eq(guild, sql.placeholder('guild')))
    .prepare();
  const removeOlder = db
    .delete(rejected)
    .where(lt(rejected.generation, sql.placeholder('generation')))
    .prepare();
  // The record of before a reset, unless there is one of after it. Any revision of after it is newer.
  const keepStaged = db
    .insert(staged)
    .select(
      db
        .select({
          guildId: records.guildId,
          revision: sql<number>`0`.as('revision'),
          record: records.record,
          isSparse: records.isSparse,
        })
        .from(records)
        .where(eq(records.guildId, sql.placeholder('guild'))),
    )
    .onConflictDoNothing()
    .prepare();
  return {
    load: (): readonly RejectedRecord[] =>
      all.all().map((record) => ({ ...record, guild: record.guild === NO_GUILD ? undefined : record.guild })),
    add(record: RejectedRecord, generation: number, isStaging: boolean): void {
      const row = { ...record, guild: record.guild ?? NO_GUILD, generation };
      add.run(row);
      if (isStaging) keepStaged.run({ guild: row.guild });
    },
    remove: (guild: GuildId) => remove.run({ guild }),
    /** Deletes the rejected records before a reset, after all records of that reset were received. */
    removeOlder: (generation: number) => removeOlder.run({ generation }),
  };
}
