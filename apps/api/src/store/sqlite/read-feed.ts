import { type FeedRange, feedLineOf, feedPageOf, reachOf } from '../feed-page.ts';
import type { FeedPage } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import type { Statements } from './statements.ts';

/**
 * Returns a function that reads a page of the feed. Guilds are read in the order of their newest revisions: a guild that changes
 * between two pages moves to the end and is read there. The log is read only for erasures, which leave no row.
 */
export function prepareReadFeed(
  { $client: db }: SqliteDatabase,
  { readGuildsAfter, readLogBounds, readLines }: Statements,
): (range: FeedRange) => Omit<FeedPage, 'epoch'> {
  // Prepared once: every event waits for it.
  return db.transaction(({ after, limit, cipher }: FeedRange) => {
    const { guilds, isWhole } = readGuildsAfter(after, limit);
    const newest = readLogBounds()?.newest ?? after;
    const lines = readLines({ after, upTo: reachOf({ guilds, isWhole, newest }), limit });
    return feedPageOf({ guilds, isWhole, lines: lines.map((line) => feedLineOf(line, cipher)), newest, limit });
  });
}
