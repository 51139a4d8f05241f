import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { z } from 'zod';
import { PACKAGE_FOLDER } from '../../package-folder.ts';
import { StoreUnavailableError } from '../store.ts';
import { commitDurably } from './durable-commits.ts';

const MIGRATIONS = fileURLToPath(new URL('src/store/postgres/migrations', PACKAGE_FOLDER));

/** Connections of one process. One of them writes at a time; the others read. */
const CONNECTIONS = 10;

/** Milliseconds that a connection and a statement may take, and that a transaction may stand still. */
const CONNECT_TIMEOUT = 3_000;
const STATEMENT_TIMEOUT = 5_000;

/**
 * A process that stops in the middle of a transaction keeps everybody else from writing; after so many milliseconds the
 * server ends its connection.
 */
const IDLE_TRANSACTION_TIMEOUT = 5_000;

export type PostgresDatabase = NodePgDatabase & { readonly $client: pg.Pool };

/** What every connection of this process to the database is opened with. */
export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    application_name: 'guild-settings',
    keepAlive: true,
  };
}

/** Opens a pool of connections. None is made before it is needed. */
export function openPool(url: string): PostgresDatabase {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: CONNECTIONS,
    statement_timeout: STATEMENT_TIMEOUT,
    // Should the server not be heard any more, its own limit is of no use.
    query_timeout: STATEMENT_TIMEOUT + 1_000,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT,
    // Before anybody gets the connection, which is ended when this fails.
    onConnect: commitDurably,
  });
  // A connection that breaks is replaced when the next one is needed; who was using it hears of it by the query.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return drizzle(pool);
}

/**
 * Brings a database to the newest schema, in one transaction. Several at once wait for one another. Who waits for a table
 * keeps everybody who comes later waiting as well, so it waits a moment only, and tries again.
 */
export async function migratePostgres(url: string): Promise<void> {
  // One connection, so that the lock and the migrations are of one session.
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  try {
    await commitDurably(client);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`SET lock_timeout = ${MIGRATION_LOCK_TIMEOUT}`);
    const again = retry(handleWhen(isLockTimeout), { maxAttempts: 20, backoff: new ConstantBackoff(500) });
    await again.execute(() => migrate(drizzle(client), { migrationsFolder: MIGRATIONS }));
  } finally {
    await client.end();
  }
}

/** Milliseconds that a migration waits for a table. */
const MIGRATION_LOCK_TIMEOUT = 1_000;

const isLockTimeout = (error: Error) => error instanceof DrizzleQueryError && codeOf(error.cause) === '55P03';
const codeOf = (cause: unknown) => (cause instanceof pg.DatabaseError ? cause.code : undefined);

/** Any number will do that nobody else takes. */
const MIGRATION_LOCK = 7_461_120_911;

const Journal = z.object({ entries: z.array(z.object({ when: z.number() })) });

/**
 * Refuses a database that has not been migrated to what this version needs.
 * @throws StoreUnavailableError saying what to do
 */
export async function requireMigrated(db: PostgresDatabase): Promise<void> {
  const journal = Journal.parse(JSON.parse(readFileSync(`${MIGRATIONS}/meta/_journal.json`, 'utf8')));
  const wanted = Math.max(...journal.entries.map(({ when }) => when));
  const applied = await db.$client
    .query<{ newest: string | null }>('SELECT max(created_at) AS newest FROM drizzle.__drizzle_migrations')
    .then(({ rows }) => Number(rows[0]?.newest ?? 0))
    .catch((error: unknown) => {
      // Nobody has ever migrated it.
      if (error instanceof pg.DatabaseError && ['42P01', '3F000'].includes(error.code ?? '')) return 0;
      throw error;
    });
  // A newer schema is that of a newer version beside this one, which keeps to what this one can use.
  if (applied < wanted) {
    throw new StoreUnavailableError(
      'The database has an older schema than this version needs. Bring it up to date: pnpm --filter @guild-settings/api migrate',
    );
  }
}
