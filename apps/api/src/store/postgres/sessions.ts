import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type SessionStore, sessionQueries } from '../session-queries.ts';
import type { PostgresDatabase } from './database.ts';
import { withStoreErrors } from './failures.ts';
import { SESSION_ENDED } from './listener.ts';
import { sessions } from './schema.ts';

/** The time of the database: the clocks of the processes may differ by more than a lease lasts. */
const NOW_MS = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/**
 * Names the table of sessions: another one after a dump was restored, and after recovery from a base backup. An old session must not
 * come back, and its refresh token must not be used: Discord would revoke all tokens of the person.
 */
const MADE_IN = sql<string>`concat_ws('/',
  (SELECT system_identifier FROM pg_control_system()),
  (SELECT timeline_id FROM pg_control_checkpoint()),
  (SELECT oid FROM pg_database WHERE datname = current_database()),
  'sessions'::regclass::oid)`;

/** Opens the sessions in a PostgreSQL database. */
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
