import { and, asc, gt, lte, sql } from 'drizzle-orm';
import { IS_ERASURE } from '../erasure/erasure-rows.ts';
import { type FeedRange, feedLineOf, feedPageOf, PAGE_BYTES, reachOf } from '../feed-page.ts';
import type { FeedPage } from '../store.ts';
import { changes, guilds as guildRows, meta } from './schema.ts';
import type { Transaction } from './transaction.ts';

/**
 * Reads a page of the feed inside a snapshot transaction. Revisions are assigned under the lock of the row in `meta`, so a
 * snapshot contains every revision up to its newest.
 */
export async function readFeed(tx: Transaction, { after, limit, cipher }: FeedRange): Promise<Omit<FeedPage, 'epoch'>> {
  const page = sql`(SELECT id, revision, settings FROM guilds WHERE revision > ${after} ORDER BY revision LIMIT ${limit})`;
  const before = sql`sum(octet_length(settings::text)) OVER (ORDER BY revision ROWS UNBOUNDED PRECEDING) - octet_length(settings::text)`;
  const fitting = sql`(SELECT id FROM (SELECT id, ${before} AS bytes FROM ${page} AS page) AS sums WHERE bytes <= ${PAGE_BYTES})`;
  const rows = await tx
    .select({ guild: guildRows, ofPage: sql<number>`(SELECT count(*) FROM ${page} AS page)`.mapWith(Number) })
    .from(guildRows)
    .where(sql`${guildRows.id} IN ${fitting}`)
    .orderBy(asc(guildRows.revision));
  const guilds = rows.map(({ guild }) => guild);
  const ofPage = rows[0]?.ofPage ?? 0;
  const isWhole = guilds.length === ofPage && ofPage < limit;
  const [bounds] = await tx.select().from(meta);
  const newest = bounds?.lastRevision ?? after;
  const reach = reachOf({ guilds, isWhole, newest });
  const erasures = tx
    .select({ revision: changes.revision, guildId: changes.guildId })
    .from(changes)
    .where(and(sql.raw(IS_ERASURE), gt(changes.revision, after), lte(changes.revision, reach)));
  const { accessRevision } = guildRows;
  const lines = await tx
    .select({ revision: sql<number>`${accessRevision}`.mapWith(accessRevision), guildId: guildRows.id })
    .from(guildRows)
    .where(and(gt(accessRevision, after), lte(accessRevision, reach)))
    .unionAll(erasures)
    .orderBy(sql`1`)
    .limit(limit);
  return feedPageOf({ guilds, isWhole, lines: lines.map((line) => feedLineOf(line, cipher)), newest, limit });
}
