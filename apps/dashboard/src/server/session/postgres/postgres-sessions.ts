import { fileURLToPath } from 'node:url';
import { listenToPostgres, type PostgresListener } from '@guild-settings/runtime/postgres-notifications';
import { requireFirstMigration } from '@guild-settings/runtime/sqlite-file';
import { type SQL, sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { PACKAGE_FOLDER } from '../../../package-folder.ts';
import { sessionQueries } from '../session-queries.ts';
import { EARLIER_SESSIONS_REMEDY, type SessionStore } from '../session-store.ts';
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

async function migrateSessions(options: pg.ClientConfig): Promise<void> {
  // A single connection: the lock and the migrations must be of one session.
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

async function firstApplied(client: pg.Client): Promise<string | undefined> {
  const table = `drizzle.${MIGRATIONS_TABLE}`;
  const { rows } = await client.query<{ known: boolean }>('SELECT to_regclass($1) IS NOT NULL AS known', [table]);
  if (rows[0]?.known !== true) return undefined;
  const first = await client.query<{ hash: string }>(`SELECT hash FROM ${table} ORDER BY created_at LIMIT 1`);
  return first.rows[0]?.hash;
}

function postgresSessions(pool: pg.Pool, connection: pg.ClientConfig): SessionStore {
  const db = drizzle(pool);
  let listener: PostgresListener | undefined;

  const end = async (which: SQL | undefined): Promise<string[]> => {
    const ended = db.$with('ended').as(db.delete(sessions).where(which).returning({ idHash: sessions.idHash }));
    const notified = sql`pg_notify(${ENDED}, ${ended.idHash})`;
    const rows = await db.with(ended).select({ idHash: ended.idHash, notified }).from(ended);
    return rows.map(({ idHash }) => idHash);
  };

  return {
    ...sessionQueries({ db, sessions, now: (laterMs) => sql`${NOW_MS} + ${laterMs}::bigint`, end }),
    async followEnds({ onEnded, onMissed, onState }) {
      listener = await listenToPostgres({
        connection,
        pool,
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
