import { and, eq, getTableColumns, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { sessionQueries } from '../session-queries.ts';
import type { DeclarationStore, SessionStore, WatcherStore } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { NOTIFY_WATCHERS, SESSION_ENDED } from './listener.ts';
import { guilds, meta, sessions, watchers } from './schema.ts';
import { type Transaction, transact, withStoreErrors } from './transaction.ts';

/**
 * A version greater than all before: the number of the transaction, which also grows when rows are deleted. Rows of a
 * database that was restored into another cluster may have greater versions.
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

/**
 * Writes rows and notifies the other processes. Versions are in commit order: a reader of one version has read all
 * before it.
 */
function write<T>(db: PostgresDatabase, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return transact(db, 'write', async (tx) => {
    await tx.execute(sql`LOCK TABLE ${watchers} IN SHARE ROW EXCLUSIVE MODE`);
    const result = await work(tx);
    await tx.execute(sql`SELECT ${NOTIFY_WATCHERS}`);
    return result;
  });
}

/** The time of the database, because the clocks of the processes may differ by more than the duration of a lease. */
const NOW_MS = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/**
 * Identifies the table of sessions. It changes after a restored dump and after recovery from a base backup: an old
 * session must not come back, and its refresh token must not be used, because Discord would revoke all tokens of the
 * person.
 */
const MADE_IN = sql<string>`concat_ws('/',
  (SELECT system_identifier FROM pg_control_system()),
  (SELECT timeline_id FROM pg_control_checkpoint()),
  (SELECT oid FROM pg_database WHERE datname = current_database()),
  'sessions'::regclass::oid)`;

export function openSessions(db: PostgresDatabase): SessionStore {
  const run = <Row>(query: PromiseLike<Row[]>) => withStoreErrors(async () => query);
  const find = db
    .select()
    .from(sessions)
    .where(and(eq(sessions.idHash, sql.placeholder('idHash')), eq(sessions.madeIn, MADE_IN)))
    .prepare('find_session');
  return sessionQueries({
    db,
    sessions,
    find: async (idHash) => (await run(find.execute({ idHash })))[0],
    now: (laterMs) => sql`${NOW_MS} + ${laterMs}::bigint`,
    read: run,
    write: run,
    madeIn: MADE_IN,
    async end(which: SQL | undefined) {
      const ended = db.$with('ended').as(db.delete(sessions).where(which).returning({ idHash: sessions.idHash }));
      const notified = sql`pg_notify(${SESSION_ENDED}, ${ended.idHash})`;
      const rows = await run(db.with(ended).select({ idHash: ended.idHash, notified }).from(ended));
      return rows.map(({ idHash }) => idHash);
    },
  });
}

export function openDeclarations(db: PostgresDatabase): DeclarationStore {
  return {
    async readDeclaration() {
      const [row] = await withStoreErrors(() => db.select({ served: meta.declaration }).from(meta));
      return row?.served ?? null;
    },
    async recordDeclaration(declaration) {
      await withStoreErrors(() => db.update(meta).set({ declaration }));
    },
    async countSet(fields) {
      const counts: Record<string, number> = {};
      for (const field of fields) {
        // The function is used because some drivers treat the operator for a key as a placeholder.
        const isSet = sql`jsonb_exists(${guilds.settings}, ${field})`;
        counts[field] = await withStoreErrors(() => db.$count(guilds, isSet));
      }
      return counts;
    },
  };
}
