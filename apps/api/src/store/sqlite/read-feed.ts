import { and, asc, gt, isNull, lte } from 'drizzle-orm';
import type { FeedEntry, FeedPage } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import { guildOf } from './rows.ts';
import { changes, guilds, meta } from './schema.ts';

/**
 * A page of the feed. Guilds are read in the order of their newest revisions, so a guild that changes meanwhile moves
 * behind everything else and is met there; the log itself is read for erasures alone, which leave no row.
 */
export function readFeed(db: SqliteDatabase, after: number, limit: number): Omit<FeedPage, 'epoch'> {
  return db.transaction(() => {
    const rows = db
      .select()
      .from(guilds)
      .where(gt(guilds.revision, after))
      .orderBy(asc(guilds.revision))
      .limit(limit)
      .all();
    const newest = db.select().from(meta).get()?.lastRevision ?? after;
    const reach = rows.length < limit ? newest : (rows.at(-1)?.revision ?? newest);
    const erasures = db
      .select({ revision: changes.revision, erased: changes.guildId })
      .from(changes)
      .where(and(isNull(changes.after), gt(changes.revision, after), lte(changes.revision, reach)))
      .orderBy(asc(changes.revision))
      .limit(limit)
      .all();
    const upTo = erasures.length < limit ? reach : (erasures.at(-1)?.revision ?? reach);
    const entries: FeedEntry[] = [...rows.map((row) => ({ revision: row.revision, guild: guildOf(row) })), ...erasures];
    return {
      entries: entries.filter((entry) => entry.revision <= upTo).sort((one, other) => one.revision - other.revision),
      upTo,
      isLast: upTo === newest,
    };
  });
}
