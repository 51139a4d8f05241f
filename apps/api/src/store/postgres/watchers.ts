import { and, getTableColumns, gt, inArray, lte, sql } from 'drizzle-orm';
import type { WatcherStore } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { withStoreErrors } from './failures.ts';
import { NOTIFY_WATCHERS } from './listener.ts';
import { watchers } from './schema.ts';
import { type Transaction, transact } from './transaction.ts';

/**
 * A greater version than all before: the number of the transaction, which grows also when rows are deleted. In a database that was
 * restored into another cluster, rows have greater ones.
 */
const NEXT_VERSION = sql<number>`greatest(pg_current_xact_id()::text::bigint, (SELECT max(version) + 1 FROM watchers))`;

const NOW = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

export function openWatchers(db: PostgresDatabase): WatcherStore {
  const { seenAt, ...columns } = getTableColumns(watchers);
  const read = db
    .select({ ...columns, seenAgoMs: sql<number>`greatest(0, ${NOW} - ${seenAt})`.mapWith(Number) })
    .from(watchers)
    .where(gt(watchers.version, sql.placeholder('after')))
    .prepare('read_watchers');
  return {
    isShared: true,

    async readWatchers(after) {
      return withStoreErrors(() => read.execute({ after }));
    },

    registerWatcher: ({ id, name, shards }, run) =>
      write(db, async (tx) => {
        const position = { epoch: '', revision: 0, rejected: [] };
        const set = {
          name,
          shards,
          ...position,
          registration: NEXT_VERSION,
          version: NEXT_VERSION,
          isConnected: true,
          seenAt: NOW,
          run:
            run === undefined
              ? null
              : sql`jsonb_build_object('registration', ${NEXT_VERSION}, 'id', ${run}::text, 'hasLeft', false)`,
        };
        const insert = tx.insert(watchers).values({ id, ...set });
        const upsert = insert.onConflictDoUpdate({ target: watchers.id, set });
        const [stored] = await upsert.returning({ registration: watchers.registration });
        return stored?.registration ?? 0;
      }),

    async updateWatchers(states) {
      await write(db, (tx) =>
        tx.execute(sql`
          UPDATE ${watchers} SET
            version = ${NEXT_VERSION}, epoch = state.epoch, revision = state.revision, rejected = state.rejected,
            is_connected = is_connected AND NOT state."hasEnded",
            seen_at = CASE WHEN state."hasEnded" THEN ${NOW} ELSE seen_at END,
            run = CASE WHEN state."hasLeft" THEN jsonb_set(run, '{hasLeft}', 'true') ELSE run END
          FROM jsonb_to_recordset(${JSON.stringify(states)}::jsonb) AS state
            (id text, registration bigint, epoch text, revision bigint, rejected jsonb, "hasEnded" boolean, "hasLeft" boolean)
          WHERE watchers.id = state.id AND watchers.registration = state.registration`),
      );
    },

    async touchWatchers(ids) {
      await withStoreErrors(() =>
        db
          .update(watchers)
          .set({ seenAt: NOW })
          .where(inArray(watchers.id, [...ids])),
      );
    },

    async deleteWatchers(ids, unseenForMs) {
      const isUnseen = lte(seenAt, sql`${NOW} - ${unseenForMs}::bigint`);
      await withStoreErrors(() => db.delete(watchers).where(and(inArray(watchers.id, [...ids]), isUnseen)));
    },
  };
}

/** Writes rows and notifies the other processes. The order of versions is that of commits: who has read one has read all before it. */
function write<T>(db: PostgresDatabase, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return transact(db, 'write', async (tx) => {
    await tx.execute(sql`LOCK TABLE ${watchers} IN SHARE ROW EXCLUSIVE MODE`);
    const result = await work(tx);
    await tx.execute(sql`SELECT ${NOTIFY_WATCHERS}`);
    return result;
  });
}
