import type { WatchedEvent } from '@guild-settings/client';
import type { Cursor, Guild } from '@guild-settings/contract';
import { lt, sql } from 'drizzle-orm';
import { openBotDatabase } from '../database/database.ts';
import { position, records } from '../database/schema.ts';

/** A record as the file held it. */
export interface SavedRecord {
  readonly revision: number;
  readonly guild: Guild;
  /** Whether it came after the last reset. Others serve until the replica is live. */
  readonly isCurrent: boolean;
}

/** What a replica's file held when it was opened. */
export interface SavedReplica {
  readonly records: readonly SavedRecord[];
  readonly cursor: Cursor | undefined;
  /** When it was last up to date, in milliseconds since 1970. */
  readonly liveAt: number | undefined;
}

/** The file that a replica boots from. */
export interface ReplicaFile {
  readonly saved: SavedReplica;
  /** Writes a batch of events and the cursor after them in one transaction. `liveAt`: the replica is up to date then. */
  apply(batch: readonly WatchedEvent[], liveAt: number | undefined): void;
  close(): void;
}

/**
 * Opens a replica's file. What it holds can be fetched again, so a commit need not be on the disk at once: a loss of power
 * costs the newest changes, and the cursor that is lost with them fetches them again.
 * @param scope which guilds are followed: a cursor that was for others is not taken up
 */
export function openReplicaFile(path: string, scope: string): ReplicaFile {
  const db = openBotDatabase(path, 'in-order');
  const known = db.select().from(position).get();
  // Changed after a commit alone, like the replica's memory.
  let generation = known?.generation ?? 0;
  let liveAt = known?.liveAt ?? null;
  const upsert = db
    .insert(records)
    .values({
      guildId: sql.placeholder('guildId'),
      revision: sql.placeholder('revision'),
      generation: sql.placeholder('generation'),
      record: sql.placeholder('record'),
    })
    .onConflictDoUpdate({
      target: records.guildId,
      set: {
        revision: sql`excluded.revision`,
        generation: sql`excluded.generation`,
        record: sql`excluded.record`,
      },
      // Only what is newer: an old event must not undo a newer one. After a reset revisions begin anew.
      setWhere: sql`excluded.generation > ${records.generation} OR excluded.revision > ${records.revision}`,
    })
    .prepare();
  const remove = db
    .delete(records)
    .where(sql`${records.guildId} = ${sql.placeholder('guildId')}`)
    .prepare();

  function write({ event }: WatchedEvent, ofGeneration: number): void {
    switch (event.type) {
      case 'guild':
        upsert.run({
          guildId: event.guild.id,
          revision: event.revision,
          generation: ofGeneration,
          record: event.guild,
        });
        return;
      case 'removed':
        remove.run({ guildId: event.guild });
        return;
      case 'live':
        db.delete(records).where(lt(records.generation, ofGeneration)).run();
        return;
      case 'reset':
      case 'bookmark':
        return;
    }
  }

  return {
    saved: {
      records: db
        .select()
        .from(records)
        .all()
        .map(({ revision, record, ...row }) => ({ revision, guild: record, isCurrent: row.generation === generation })),
      cursor: known?.scope === scope ? { epoch: known.epoch, revision: known.revision } : undefined,
      liveAt: known?.scope === scope ? (liveAt ?? undefined) : undefined,
    },
    apply(batch, now) {
      const last = batch.at(-1);
      if (last === undefined) return;
      const written = db.transaction(() => {
        let current = generation;
        for (const watched of batch) {
          // The old records serve until all the new ones are here.
          if (watched.event.type === 'reset') current += 1;
          write(watched, current);
        }
        const row = { ...last.cursor, generation: current, liveAt: now ?? liveAt, scope };
        db.insert(position)
          .values({ id: 1, ...row })
          .onConflictDoUpdate({ target: position.id, set: row })
          .run();
        return row;
      });
      ({ generation, liveAt } = written);
    },
    close: () => db.$client.close(),
  };
}
