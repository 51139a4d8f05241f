import { fileURLToPath } from 'node:url';
import { requireFirstMigration } from '@guild-settings/runtime/sqlite-file';
import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import { DrizzleQueryError, sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { ownCommand, PACKAGE_FOLDER } from '../../own-package.ts';
import { EARLIER_DATABASE_REMEDY, StoreUnavailableError } from '../store.ts';

const MIGRATIONS = fileURLToPath(new URL('src/store/postgres/migrations', PACKAGE_FOLDER));

/** Connections per process. One writes at a time, the others read. */
const MAX_CONNECTIONS = 10;

const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 5_000;

/**
 * Time after which the server closes an idle transaction, because a process that hangs inside one blocks all other
 * writers.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000;

export type PostgresDatabase = NodePgDatabase & { readonly $client: pg.Pool };

export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'guild-settings',
    keepAlive: true,
  };
}

export function openPool(url: string): PostgresDatabase {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: MAX_CONNECTIONS,
    // Sends a statement without waiting for the result of the previous one.
    pipeline: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // The server's own limit does not apply when the server is unreachable.
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    // Runs before a connection is used. If it fails, the connection is closed.
    onConnect: commitDurably,
  });
  // A lost connection rejects the query that uses it, and is replaced when the next one is needed.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return drizzle(pool);
}

/**
 * Opens one connection outside the pool. As in the pool, a loss rejects the running query. Without a listener, the loss
 * would end the process.
 */
async function openConnection(url: string): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(url));
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * Migrates a database to the newest schema in one transaction. Simultaneous migrations run one after another. A
 * statement that waits for a table blocks all later statements on it, so a migration waits only briefly, and retries.
 * @throws EarlierDatabaseError for a database made by a version before 1.0.0
 */
export async function migratePostgres(url: string): Promise<void> {
  // A single connection, because the lock and the migrations must be in one session.
  const client = await openConnection(url);
  try {
    await commitDurably(client);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`SET lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`);
    const retryLocked = retry(handleWhen(isLockTimeout), { maxAttempts: 20, backoff: new ConstantBackoff(500) });
    await retryLocked.execute(async () => {
      requireReadable(await appliedTo(client));
      await migrate(drizzle(client), { migrationsFolder: MIGRATIONS });
    });
  } finally {
    await client.end();
  }
}

const TABLE_LOCK_TIMEOUT_MS = 1_000;

const isLockTimeout = (error: Error) => codeOf(error instanceof DrizzleQueryError ? error.cause : error) === '55P03';
const codeOf = (cause: unknown) => (cause instanceof pg.DatabaseError ? cause.code : undefined);

/** Key of the advisory lock of migrations: an arbitrary, unique number. */
const MIGRATION_LOCK = 7_461_120_911;

/**
 * Checks that a database has the schema that this version needs. A newer schema belongs to a newer version, which keeps
 * what this version uses.
 * @throws StoreUnavailableError
 * @throws EarlierDatabaseError for a database made by a version before 1.0.0
 */
export async function requireMigrated(db: PostgresDatabase): Promise<void> {
  const applied = await appliedTo(db.$client);
  requireReadable(applied);
  if (applied.newest >= newestKnown()) return;
  const found = applied.newest === 0 ? 'no tables of this service' : 'an older schema than this version needs';
  throw new StoreUnavailableError(
    `The database has ${found}. Migrate it, with DATABASE_URL in the environment: ${ownCommand('migrate')}`,
  );
}

export async function hasNewerSchema(db: PostgresDatabase): Promise<boolean> {
  return (await appliedTo(db.$client)).newest > newestKnown();
}

function newestKnown(): number {
  const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS });
  return Math.max(...migrations.map(({ folderMillis }) => folderMillis));
}

function requireReadable({ first }: AppliedMigrations): void {
  requireFirstMigration({
    database: 'The PostgreSQL database',
    applied: first,
    migrations: readMigrationFiles({ migrationsFolder: MIGRATIONS }),
    remedy: EARLIER_DATABASE_REMEDY,
  });
}

interface AppliedMigrations {
  readonly first: string | undefined;
  readonly newest: number;
}

async function appliedTo(client: pg.Client | pg.Pool): Promise<AppliedMigrations> {
  return client
    .query<{ hash: string; newest: string }>(
      `SELECT hash, (SELECT max(created_at) FROM drizzle.__drizzle_migrations) AS newest
       FROM drizzle.__drizzle_migrations ORDER BY created_at LIMIT 1`,
    )
    .then(({ rows: [row] }) => ({ first: row?.hash, newest: Number(row?.newest ?? 0) }))
    .catch((error: unknown) => {
      if (['42P01', '3F000'].includes(codeOf(error) ?? '')) return { first: undefined, newest: 0 };
      throw error;
    });
}

/** Prefix of the database id until a copy is complete. The api does not start on such a database. */
export const UNFINISHED = 'unfinished copy of ';

/**
 * Values of `synchronous_commit` with which a commit returns after it is flushed to disk, including on a synchronous
 * standby if there is one. `local` and `remote_write` do not wait for the disk of the standby, `off` for neither.
 * @see https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT
 */
const DURABLE = ['on', 'remote_apply'];

/** The value of `synchronous_commit` in this session, to select it with other values in one round trip. */
export const SYNCHRONOUS_COMMIT = sql<string>`current_setting('synchronous_commit')`;

const SET_DURABLE = `SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') NOT IN ('${DURABLE.join("', '")}')`;

/**
 * Makes every commit of a session wait for the disk, overriding the server, database and role. A statement instead of a
 * startup parameter, because poolers reject unknown startup parameters.
 */
async function commitDurably(client: pg.ClientBase): Promise<void> {
  await client.query(SET_DURABLE);
}

/**
 * @throws StoreUnavailableError when the session does not wait for the disk, as behind a pooler that resets the setting
 */
export function requireDurable(synchronousCommit: string): void {
  if (DURABLE.includes(synchronousCommit)) return;
  throw new StoreUnavailableError(
    `Expected synchronous_commit "on" after it was set, received "${synchronousCommit}": acknowledged changes could be lost. Connect without a pooler, or through one in session mode.`,
  );
}

/**
 * Checks at the start that commits of this process are durable.
 * @returns settings of the server that put acknowledged changes at risk, and that a session cannot change
 * @throws StoreUnavailableError when sessions do not wait for the disk
 */
export async function checkDurability({ $client: pool }: { readonly $client: pg.Pool }): Promise<readonly string[]> {
  const { rows } = await pool.query<{ commit: string; fsync: string; pages: string }>(
    `SELECT current_setting('synchronous_commit') AS commit, current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS pages`,
  );
  const settings = rows[0];
  requireDurable(settings?.commit ?? '');
  const risks: string[] = [];
  if (settings?.fsync === 'off') {
    risks.push(
      'PostgreSQL runs with fsync=off: a loss of power loses acknowledged changes, or the database. Set it to on.',
    );
  }
  if (settings?.pages === 'off') {
    risks.push('PostgreSQL runs with full_page_writes=off: a loss of power can damage the database. Set it to on.');
  }
  return risks;
}
