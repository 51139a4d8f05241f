import { fileURLToPath } from 'node:url';
import { listenToPostgres, type PostgresListener } from '@guild-settings/runtime/postgres-notifications';
import { requireFirstMigration } from '@guild-settings/runtime/sqlite-file';
import { and, desc, eq, gte, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { PACKAGE_FOLDER } from '../../../package-folder.ts';
import { EARLIER_SESSIONS_REMEDY, type RefreshLease, type SessionStore } from '../session-store.ts';
import { sessions } from './schema.ts';

const MIGRATIONS = fileURLToPath(new URL('src/server/session/postgres/migrations', PACKAGE_FOLDER));

/** The api may use the same database, with migrations of its own. */
const MIGRATIONS_TABLE = '__dashboard_migrations';

/** Key of the advisory lock of migrations: an arbitrary number that nothing else uses. */
const MIGRATION_LOCK = 7_461_120_912;

const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 5_000;

/** Channel by which processes are notified of sessions that have ended. The payload is the hash of the id. */
const ENDED = 'dashboard_session_ended';

/** The columns of a session without a lease. */
const NO_LEASE = { leaseHolder: null, leaseUntil: null };

/** The time of the database: the clocks of the processes may differ by more than a lease lasts. */
const NOW_MS = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/**
 * Opens the sessions in a PostgreSQL database, which several processes share, and migrates it to the newest schema.
 * @throws EarlierDatabaseError for sessions that a version before 1.0.0 has stored
 */
export async function openPostgresSessions(url: string): Promise<SessionStore> {
  const options: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'guild-settings-dashboard',
    keepAlive: true,
  };
  await migrateSessions(options);
  const pool = new pg.Pool({
    ...options,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // The server's own limit does not help when the server is unreachable.
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
  });
  // A lost connection rejects the query that uses it, and is replaced when the next one is needed.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return postgresSessions(pool, options);
}

/** Migrates a database. Simultaneous migrations run one after another. */
async function migrateSessions(options: pg.ClientConfig): Promise<void> {
  // One connection: the lock and the migrations must be of one session.
  const client = new pg.Client(options);
  // A lost connection rejects the query that uses it. Without a listener it would end the process without an explanation.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    requireFirstMigration({
      database: 'The PostgreSQL database of sessions',
      applied: await firstApplied(client),
      migrations: readMigrationFiles({ migrationsFolder: MIGRATIONS }),
      remedy: EARLIER_SESSIONS_REMEDY,
    });
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS, migrationsTable: MIGRATIONS_TABLE });
  } finally {
    await client.end();
  }
}

/** Returns the hash of the first migration that was applied; undefined: none was. */
async function firstApplied(client: pg.Client): Promise<string | undefined> {
  const table = `drizzle.${MIGRATIONS_TABLE}`;
  const { rows } = await client.query<{ known: boolean }>('SELECT to_regclass($1) IS NOT NULL AS known', [table]);
  if (rows[0]?.known !== true) return undefined;
  const first = await client.query<{ hash: string }>(`SELECT hash FROM ${table} ORDER BY created_at LIMIT 1`);
  return first.rows[0]?.hash;
}

function postgresSessions(pool: pg.Pool, connection: pg.ClientConfig): SessionStore {
  const db = drizzle(pool);
  const hash = { idHash: sessions.idHash };
  const heldBy = ({ idHash, holder }: RefreshLease) =>
    and(eq(sessions.idHash, idHash), eq(sessions.leaseHolder, holder));
  let listener: PostgresListener | undefined;

  /** Deletes sessions, and notifies every process with the commit. */
  const end = async (which: SQL | undefined): Promise<string[]> => {
    const ended = db.$with('ended').as(db.delete(sessions).where(which).returning(hash));
    const notified = sql`pg_notify(${ENDED}, ${ended.idHash})`;
    const rows = await db.with(ended).select({ idHash: ended.idHash, notified }).from(ended);
    return rows.map(({ idHash }) => idHash);
  };

  return {
    async insert(row) {
      await db.insert(sessions).values(row);
    },
    async find(idHash) {
      const [row] = await db.select().from(sessions).where(eq(sessions.idHash, idHash));
      return row ?? null;
    },
    async list(userId) {
      return db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(desc(sessions.lastUsedAt));
    },
    async existing(idHashes, { usedSince, startedSince }) {
      const isWithin = and(gte(sessions.lastUsedAt, usedSince), gte(sessions.startedAt, startedSince));
      const rows = await db
        .select(hash)
        .from(sessions)
        .where(and(inArray(sessions.idHash, [...idHashes]), isWithin));
      return rows.map(({ idHash }) => idHash);
    },
    async touch(idHash, lastUsedAt) {
      await db.update(sessions).set({ lastUsedAt }).where(eq(sessions.idHash, idHash));
    },
    async remove(idHash) {
      return (await end(eq(sessions.idHash, idHash))).length > 0;
    },
    async removeOfUser(userId, publicId) {
      const isOne = publicId === undefined ? undefined : eq(sessions.publicId, publicId);
      return end(and(eq(sessions.userId, userId), isOne));
    },
    async removeExpired({ usedSince, startedSince }) {
      await db.delete(sessions).where(or(lt(sessions.lastUsedAt, usedSince), lt(sessions.startedAt, startedSince)));
    },
    async takeLease({ idHash, version, holder }, leaseMs) {
      const isFree = or(isNull(sessions.leaseUntil), lt(sessions.leaseUntil, NOW_MS));
      const isOpen = and(eq(sessions.idHash, idHash), eq(sessions.tokensVersion, version), isFree);
      const lease = { leaseHolder: holder, leaseUntil: sql`${NOW_MS} + ${leaseMs}::bigint` };
      return (await db.update(sessions).set(lease).where(isOpen).returning(hash)).length > 0;
    },
    async releaseLease(lease) {
      await db.update(sessions).set(NO_LEASE).where(heldBy(lease));
    },
    async replaceTokens(lease, next) {
      const { version } = lease;
      const isExpected = and(eq(sessions.idHash, lease.idHash), eq(sessions.tokensVersion, version));
      const values = { ...next, tokensVersion: version + 1, ...NO_LEASE };
      return (await db.update(sessions).set(values).where(isExpected).returning(hash)).length > 0;
    },
    async reseal(idHash, version, tokens) {
      const isExpected = and(eq(sessions.idHash, idHash), eq(sessions.tokensVersion, version));
      await db.update(sessions).set({ tokens }).where(isExpected);
    },
    async check() {
      await db.delete(sessions).where(eq(sessions.idHash, ''));
    },
    followEnds({ onEnded, onMissed, onState }) {
      listener = listenToPostgres({
        connection,
        channels: [ENDED],
        onNotification: ({ payload }) => onEnded(payload),
        onListening: onMissed,
        onState,
      });
    },
    async close() {
      await listener?.close();
      await pool.end();
    },
  };
}
