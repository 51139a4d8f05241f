import { and, asc, gt, isNull, lte } from 'drizzle-orm';
import { feedPageOf, reachOf } from '../feed-page.ts';
import type { FeedPage } from '../store.ts';
import { changes, guilds as guildRows, meta } from './schema.ts';
import type { Transaction } from './transaction.ts';

/**
 * Reads a page of the feed inside a snapshot transaction. Revisions are assigned under the lock of the row in `meta`, so a
 * snapshot contains every revision up to its newest.
 */
export async function readFeed(tx: Transaction, after: number, limit: number): Promise<Omit<FeedPage, 'epoch'>> {
  const guilds = await tx
    .select()
    .from(guildRows)
    .where(gt(guildRows.revision, after))
    .orderBy(asc(guildRows.revision))
    .limit(limit);
  const [bounds] = await tx.select().from(meta);
  const newest = bounds?.lastRevision ?? after;
  const reach = reachOf({ guilds, newest, limit });
  const erasures = await tx
    .select({ revision: changes.revision, erased: changes.guildId })
    .from(changes)
    .where(and(isNull(changes.after), gt(changes.revision, after), lte(changes.revision, reach)))
    .orderBy(asc(changes.revision))
    .limit(limit);
  return feedPageOf({ guilds, erasures, newest, limit });
}
