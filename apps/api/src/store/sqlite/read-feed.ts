import { feedPageOf, reachOf } from '../feed-page.ts';
import type { FeedPage } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import type { Statements } from './statements.ts';

/**
 * A page of the feed. Guilds are read in the order of their newest revisions, so a guild that changes meanwhile moves
 * behind everything else and is met there; the log itself is read for erasures alone, which leave no row.
 */
export function readFeed(
  db: SqliteDatabase,
  { readGuildsAfter, readLastRevision, readErasures }: Statements,
  after: number,
  limit: number,
): Omit<FeedPage, 'epoch'> {
  return db.transaction(() => {
    const guilds = readGuildsAfter(after, limit);
    const newest = readLastRevision() ?? after;
    const erasures = readErasures(after, reachOf({ guilds, newest, limit }), limit);
    return feedPageOf({ guilds, erasures, newest, limit });
  });
}
