import { eq, isNotNull, sql } from 'drizzle-orm';
import { NO_LEASE, type SessionStore, type SessionTable, sessionQueries } from '../session-queries.ts';
import type { SqliteDatabase } from './database.ts';
import { sessions } from './schema.ts';
import { transaction, withStoreErrors } from './transaction.ts';

/** A query of drizzle on SQLite, which runs at once. */
interface SyncQuery<Row> {
  all(): Row[];
}

/** Opens the sessions in a SQLite database. Backups of it have none: `back-up.ts`. */
export function openSessions(db: SqliteDatabase): SessionStore {
  const write = <Row>(query: SyncQuery<Row>) => transaction(db, () => query.all());
  const find = db
    .select()
    .from(sessions)
    .where(eq(sessions.idHash, sql.placeholder('idHash')))
    .prepare();
  // A lease is that of a process that was killed: no two have the file.
  write(db.update(sessions).set(NO_LEASE).where(isNotNull(sessions.leaseUntil)).returning()).catch(() => {});
  const table = {
    db,
    sessions,
    find: async (idHash: string) => withStoreErrors(() => find.get({ idHash })),
    now: (laterMs: number) => Date.now() + laterMs,
    read: async <Row>(query: SyncQuery<Row>) => withStoreErrors(() => query.all()),
    write,
    end: async (which: Parameters<SessionTable['end']>[0]) => {
      const ended = await write(db.delete(sessions).where(which).returning({ idHash: sessions.idHash }));
      return ended.map(({ idHash }) => idHash);
    },
  };
  // Drizzle builds the queries for both databases in the same way, by types that have nothing in common.
  return sessionQueries(table as unknown as SessionTable);
}
