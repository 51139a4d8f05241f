import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  type PostgresServer,
  startPostgresServer,
  startProgram,
  startTcpProxy,
  type TcpProxy,
  withPostgresClient,
} from '@guild-settings/testing';
import type pg from 'pg';
import type { LogEntry, Seen, Snapshot } from '../history.ts';
import { COPY_SUFFIX, type TorturedDatabase, withErasures } from './database.ts';
import type { Build } from './next-version.ts';
import type { Retired, RetiredRows } from './retired.ts';

/** A PostgreSQL database, reached by each api process through its own proxy. */
export interface PostgresDatabase extends TorturedDatabase {
  readonly server: PostgresServer;
  readonly proxies: readonly TcpProxy[];
  /** Runs the migrate command of a version; whether the database is up to date then. */
  migrate(version: Build): Promise<boolean>;
  /** Runs a statement on its own connection, not through a proxy. */
  query<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]>;
}

export async function postgresDatabase(folder: string, processes: number, version: Build): Promise<PostgresDatabase> {
  const server = await startPostgresServer(folder);
  const proxies = await Promise.all(Array.from({ length: processes }, () => startTcpProxy(server.port)));
  const urlAt = (port: number) => `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  const url = urlAt(server.port);
  const query = <Row extends pg.QueryResultRow>(statement: string) =>
    withPostgresClient(
      { connectionString: url, ...TIMEOUTS },
      async (client) => (await client.query<Row>(statement)).rows,
    );
  const database: PostgresDatabase = {
    server,
    proxies,
    query,
    urlOf: (process) => urlAt(proxies[process]?.port ?? server.port),
    async ensureUp(timeoutMs) {
      const deadline = performance.now() + timeoutMs;
      while (performance.now() < deadline) {
        await server.ensureUp(deadline - performance.now());
        const isUp = await query('SELECT 1').then(
          () => true,
          () => false,
        );
        if (isUp) return true;
        await delay(100);
      }
      return false;
    },
    async migrate({ migrate }) {
      const run = startProgram({ args: [migrate], env: { DATABASE_URL: url } });
      await run.exited;
      return run.output().includes('up to date');
    },
    read: () => readSnapshot(url),
    // Fails while the server is down: retention has less to erase.
    insertRetired: (rows, retired) => insertRows(url, rows, retired).catch(() => {}),
    async backUp() {
      const { data } = server;
      await server.end('SIGINT');
      // Node's copy does not preserve the owner.
      await promisify(execFile)('cp', ['-a', data, data + COPY_SUFFIX]);
      await server.ensureUp(20_000);
      return async () => {
        await server.end('SIGINT');
        await rm(data, { recursive: true });
        await rename(data + COPY_SUFFIX, data);
        await server.ensureUp(20_000);
      };
    },
    async [Symbol.asyncDispose]() {
      for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  if (!(await database.migrate(version))) throw new Error('Expected the migration of a new database to succeed');
  return database;
}

const TIMEOUTS = { connectionTimeoutMillis: 3_000, query_timeout: 10_000 };

async function insertRows(url: string, rows: RetiredRows, retired: Retired): Promise<void> {
  await withPostgresClient({ connectionString: url, ...TIMEOUTS }, async (client) => {
    await client.query('BEGIN');
    const { rows: meta } = await client.query<{ last: string }>('SELECT last_revision AS last FROM meta FOR UPDATE');
    const last = Number(meta[0]?.last ?? 0);
    retired.note(last + 1, rows);
    const { guilds, changesEach, changedAt, leftAt } = rows;
    await client.query(
      `INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before, after)
       SELECT $1::bigint + (guild.number - 1) * $2::bigint + change, guild.id, $3, 'platform', 'torture', 'platform', '{}', '{"name":"retired"}'
       FROM unnest($4::text[]) WITH ORDINALITY AS guild (id, number), generate_series(1, $2::bigint) AS change`,
      [last, changesEach, changedAt, guilds],
    );
    await client.query(
      `INSERT INTO guilds (id, name, settings, revision, presence, left_at, updated_at)
       SELECT guild.id, 'retired', '{}', $1::bigint + guild.number * $2::bigint, 'left', $3, $4
       FROM unnest($5::text[]) WITH ORDINALITY AS guild (id, number)`,
      [last, changesEach, leftAt, changedAt, guilds],
    );
    await client.query('UPDATE meta SET last_revision = $1', [last + guilds.length * changesEach]);
    await client.query('COMMIT');
  });
}

/** Numbers of 64 bits are strings. */
interface ChangeRow extends Omit<LogEntry, 'revision' | 'target'> {
  readonly revision: string;
  readonly target: string | null;
}

interface GuildRow extends Omit<Seen, 'revision'> {
  readonly guild: string;
  readonly revision: string;
}

async function readSnapshot(url: string): Promise<Snapshot> {
  return withPostgresClient({ connectionString: url }, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows: meta } = await client.query<{ last: string; oldest: string; key: string | null }>(
      'SELECT last_revision AS last, oldest_revision AS oldest, erasure_key AS key FROM meta',
    );
    const { rows: log } = await client.query<ChangeRow>(
      'SELECT revision, guild_id AS guild, origin, reason, target, before, after FROM changes ORDER BY revision',
    );
    const { rows: guilds } = await client.query<GuildRow>(
      `SELECT id AS guild, revision, coalesce(settings ->> 'prefix', '!') AS prefix,
         coalesce(settings ->> 'announcement_channel', '') AS channel FROM guilds`,
    );
    return {
      lastRevision: Number(meta[0]?.last ?? 0),
      oldestRevision: Number(meta[0]?.oldest ?? 1),
      log: withErasures(
        log.map((row) => ({
          ...row,
          revision: Number(row.revision),
          target: row.target === null ? null : Number(row.target),
        })),
        meta[0]?.key,
      ),
      guilds: new Map(guilds.map(({ guild, ...seen }) => [guild, { ...seen, revision: Number(seen.revision) }])),
    };
  });
}
