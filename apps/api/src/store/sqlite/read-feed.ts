import { type FeedRange, feedPageOf, reachOf } from '../feed-page.ts';
import type { FeedPage } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import type { Statements } from './statements.ts';

/**
 * Returns a function that reads a page of the feed. Guilds are read in the order of their newest revisions: a guild that changes
 * between two pages moves to the end and is read there. The log is read only for erasures, which leave no row.
 */
export function prepareReadFeed(
  { $client: db }: SqliteDatabase,
  { readGuildsAfter, readLogBounds, readErasures }: Statements,
): (range: FeedRange) => Omit<FeedPage, 'epoch'> {
  // Prepared once: every event waits for it.
  return db.transaction(({ after, limit, cipher }: FeedRange) => {
    const guilds = readGuildsAfter(after, limit);
    const newest = readLogBounds()?.newest ?? after;
    const lines = readErasures(after, reachOf({ guilds, newest, limit }), limit);
    const erasures = lines.map(({ revision, erased }) => ({ revision, erased: cipher.open(erased) }));
    return feedPageOf({ guilds, erasures, newest, limit });
  });
}
