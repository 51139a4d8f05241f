import { and, asc, gt, isNull, lte } from 'drizzle-orm';
import { feedPageOf, reachOf } from '../feed-page.ts';
import type { FeedPage } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import { changes, guilds as guildRows, meta } from './schema.ts';

/**
 * A page of the feed. Guilds are read in the order of their newest revisions, so a guild that changes meanwhile moves
 * behind everything else and is met there; the log itself is read for erasures alone, which leave no row.
 */
export function readFeed(db: SqliteDatabase, after: number, limit: number): Omit<FeedPage, 'epoch'> {
  return db.transaction(() => {
    const guilds = db
      .select()
      .from(guildRows)
      .where(gt(guildRows.revision, after))
      .orderBy(asc(guildRows.revision))
      .limit(limit)
      .all();
    const newest = db.select().from(meta).get()?.lastRevision ?? after;
    const reach = reachOf({ guilds, newest, limit });
    const erasures = db
      .select({ revision: changes.revision, erased: changes.guildId })
      .from(changes)
      .where(and(isNull(changes.after), gt(changes.revision, after), lte(changes.revision, reach)))
      .orderBy(asc(changes.revision))
      .limit(limit)
      .all();
    return feedPageOf({ guilds, erasures, newest, limit });
  });
}
