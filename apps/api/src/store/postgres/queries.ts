import type { GuildId } from '@guild-settings/contract';
import { handleWhen, retry } from 'cockatiel';
import DataLoader from 'dataloader';
import { and, asc, desc, eq, gt, inArray, lt, lte, ne, sql } from 'drizzle-orm';
import { IS_ERASURE } from '../erasure/erasure-rows.ts';
import type { FeedPage, HistoryRange, StoredGuild } from '../guild-store.ts';
import { type FeedRange, feedLineOf, feedPageOf, PAGE_BYTES, reachOf } from '../rows.ts';
import { StoreUnavailableError } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { changes, guilds as guildRows, guilds, meta } from './schema.ts';
import {
  GUILD_AND_EPOCHS,
  isConnectionLost,
  lockMeta,
  storedGuildOf,
  type Transaction,
  transact,
} from './transaction.ts';

const MAX_BATCH_GUILDS = 200;

/** A lost connection must not fail all requests of the batch. */
const retryOnce = retry(handleWhen(isConnectionLost), { maxAttempts: 1 });

export function openGuilds(db: PostgresDatabase) {
  const read = db
    .select(GUILD_AND_EPOCHS)
    .from(guilds)
    .where(sql`${guilds.id} = ANY(${sql.placeholder('ids')})`)
    .prepare('read_guilds');
  const notLeft = db
    .select({ id: guilds.id })
    .from(guilds)
    .where(and(gt(guilds.id, sql.placeholder('after')), ne(guilds.presence, 'left')))
    .orderBy(guilds.id)
    .limit(sql.placeholder('limit'))
    .prepare('guilds_not_left');
  const loader = new DataLoader<GuildId, StoredGuild | null>(
    async (ids) => {
      const rows = await retryOnce.execute(() => read.execute({ ids }));
      const found = new Map(rows.map((row) => [row.guild.id, storedGuildOf(row)]));
      return ids.map((id) => found.get(id) ?? null);
    },
    { cache: false, maxBatchSize: MAX_BATCH_GUILDS, batchScheduleFn: setImmediate },
  );
  return {
    /**
     * Returns a guild; null: nothing is stored. Requests in one event loop iteration share a query, which is half of
     * the cost of a request. Results are not cached: the query is sent after all requests that share it.
     */
    load: (id: GuildId) => loader.load(id),
    idsNotLeft: async (after: GuildId, limit: number) => (await notLeft.execute({ after, limit })).map(({ id }) => id),
  };
}

const NONE = sql<string | null>`NULL::text`;

/**
 * Reads a page of the feed inside a snapshot transaction. Revisions are assigned under the lock of the row in `meta`,
 * so a snapshot contains every revision up to its newest.
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
    .select({ revision: changes.revision, erased: sql<string | null>`${changes.guildId}`, access: NONE })
    .from(changes)
    .where(and(sql.raw(IS_ERASURE), gt(changes.revision, after), lte(changes.revision, reach)));
  const { accessRevision } = guildRows;
  const lines = await tx
    .select({
      revision: sql<number>`${accessRevision}`.mapWith(accessRevision),
      erased: NONE,
      access: sql<string | null>`${guildRows.id}`,
    })
    .from(guildRows)
    .where(and(gt(accessRevision, after), lte(accessRevision, reach)))
    .unionAll(erasures)
    .orderBy(sql`1`)
    .limit(limit);
  return feedPageOf({ guilds, isWhole, lines: lines.map((line) => feedLineOf(line, cipher)), newest, limit });
}

export function prepareHistory(db: PostgresDatabase, order: HistoryRange['order']) {
  const { guildId, revision } = changes;
  const [isOfGuild, isAfter, isBefore] = [
    eq(guildId, sql.placeholder('guildId')),
    gt(revision, sql.placeholder('after')),
    lt(revision, sql.placeholder('before')),
  ];
  return db
    .select()
    .from(changes)
    .where(and(isOfGuild, isAfter, isBefore))
    .orderBy(order === 'oldest-first' ? asc(revision) : desc(revision))
    .limit(sql.placeholder('limit'))
    .prepare(`read_history_${order}`);
}

const STEP_GUILDS = 10;

/** Time that a probe waits for the lock of writers, who hold it for one commit each. */
const LOCK_TIMEOUT_MS = 1_500;

/** Creates the probes of a process, which read all guilds in the order of revisions, a few at a time. */
export function openProbes(db: PostgresDatabase) {
  let reached = 0;
  return {
    async read(guildIds: readonly GuildId[]) {
      const bounds = await db.select().from(meta);
      if (bounds.length === 0) throw new StoreUnavailableError('Expected one row in the table meta, found none');
      const walked = await db
        .select({ id: guilds.id, revision: guilds.revision })
        .from(guilds)
        .where(gt(guilds.revision, reached))
        .orderBy(asc(guilds.revision))
        .limit(STEP_GUILDS);
      const ids = [...guildIds, ...walked.map(({ id }) => id)];
      if (ids.length > 0) await db.select().from(guilds).where(inArray(guilds.id, ids));
      await db.select().from(changes).orderBy(desc(changes.revision)).limit(1);
      reached = walked.length < STEP_GUILDS ? 0 : (walked.at(-1)?.revision ?? 0);
    },

    async write() {
      await transact(db, 'write', async (tx) => {
        await tx.execute(sql.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`));
        await lockMeta(tx);
        await tx.update(meta).set({ lastRevision: sql`${meta.lastRevision}` });
      });
    },
  };
}
