import { execFile } from 'node:child_process';
import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ErasureCipher } from '@guild-settings/api';
import { startPostgresServer, startProgram, startTcpProxy, withPostgresClient } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import type pg from 'pg';
import { FIRST_RETIRED_ID, type LogEntry, type Seen, type Snapshot } from '../history.ts';

export interface TorturedDatabase extends AsyncDisposable {
  urlOf(process: number): string;
  ensureUp(timeoutMs: number): Promise<boolean>;
  read(): Promise<Snapshot>;
  /** Inserts rows under the next revisions in one transaction, like another process. Never rejects. */
  insertRetired(rows: RetiredRows, retired: Retired): Promise<void>;
  /** Copies the database, which must not be in use meanwhile. The result restores the copy. */
  backUp(): Promise<() => Promise<void>>;
}

const COPY_SUFFIX = '.copy';

export function sqliteDatabase(folder: string): TorturedDatabase {
  const path = join(folder, 'guild-settings.db');
  return {
    urlOf: () => `file:${path}`,
    ensureUp: async () => true,
    async read() {
      const file = new Database(path, { readonly: true });
      try {
        return file.transaction(() =>
          snapshotOf(
            file.prepare<[], MetaRow>(META).get(),
            file.prepare<[], ChangeRow>(CHANGES).all(),
            file.prepare<[], GuildRow>(GUILDS).all(),
          ),
        )();
      } finally {
        file.close();
      }
    },
    async insertRetired(rows, retired) {
      const file = new Database(path, { timeout: 5_000 });
      try {
        file.transaction(() => insertIntoSqlite(file, rows, retired)).immediate();
      } catch {
        // The disk is full, or the file is locked: retention then has less to erase.
      } finally {
        file.close();
      }
    },
    async backUp() {
      await cp(path, path + COPY_SUFFIX);
      return async () => {
        for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true });
        await cp(path + COPY_SUFFIX, path);
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}

function insertIntoSqlite(file: Database.Database, rows: RetiredRows, retired: Retired): void {
  const last = file.prepare<[], number>('SELECT last_revision FROM meta').pluck().get() ?? 0;
  retired.note(last + 1, rows);
  const change = file.prepare(
    `INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before, after)
     VALUES (?, ?, ?, 'platform', 'torture', 'platform', '{}', '{"name":"retired"}')`,
  );
  const guild = file.prepare(
    `INSERT INTO guilds (id, name, settings, revision, presence, left_at, updated_at)
     VALUES (?, 'retired', '{}', ?, 'left', ?, ?)`,
  );
  let revision = last;
  for (const id of rows.guilds) {
    for (let done = 0; done < rows.changesEach; done++) change.run(++revision, id, rows.changedAt);
    guild.run(id, revision, rows.leftAt, rows.changedAt);
  }
  file.prepare('UPDATE meta SET last_revision = ?').run(revision);
}

export type PostgresDatabase = Awaited<ReturnType<typeof postgresDatabase>>;

const TIMEOUTS = { connectionTimeoutMillis: 3_000, query_timeout: 10_000 };
const RESTART_TIMEOUT_MS = 20_000;

/**
 * Starts a PostgreSQL server, which each api process reaches through its own proxy.
 * @param main the migrate.js of the first version
 */
export async function postgresDatabase(folder: string, processes: number, main: string) {
  const server = await startPostgresServer(folder);
  const proxies = await Promise.all(Array.from({ length: processes }, () => startTcpProxy(server.port)));
  const urlAt = (port: number) => `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  const connectionString = urlAt(server.port);
  const { data } = server;
  /** Runs a statement on its own connection, not through a proxy. */
  const query = <Row extends pg.QueryResultRow>(statement: string) =>
    withPostgresClient({ connectionString, ...TIMEOUTS }, async (client) => (await client.query<Row>(statement)).rows);
  const database: TorturedDatabase = {
    urlOf: (process) => urlAt(proxies[process]?.port ?? server.port),
    async ensureUp(timeoutMs) {
      const deadline = performance.now() + timeoutMs;
      const isUp = () =>
        query('SELECT 1').then(
          () => true,
          () => false,
        );
      for (; performance.now() < deadline; await delay(100)) {
        await server.ensureUp(deadline - performance.now());
        if (await isUp()) return true;
      }
      return false;
    },
    read: () =>
      withPostgresClient({ connectionString }, async (client) => {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const { rows: meta } = await client.query<MetaRow>(META);
        const { rows: changes } = await client.query<ChangeRow>(CHANGES);
        return snapshotOf(meta[0], changes, (await client.query<GuildRow>(GUILDS)).rows);
      }),
    insertRetired: (rows, retired) =>
      withPostgresClient(
        { connectionString, ...TIMEOUTS },
        (client) => insertIntoPostgres(client, rows, retired),
        // Fails while the server is down: retention then has less to erase.
      ).catch(() => {}),
    async backUp() {
      await server.end('SIGINT');
      // Node's copy does not preserve the owner.
      await promisify(execFile)('cp', ['-a', data, data + COPY_SUFFIX]);
      await server.ensureUp(RESTART_TIMEOUT_MS);
      return async () => {
        await server.end('SIGINT');
        await rm(data, { recursive: true });
        await rename(data + COPY_SUFFIX, data);
        await server.ensureUp(RESTART_TIMEOUT_MS);
      };
    },
    async [Symbol.asyncDispose]() {
      for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  const migrate = async (main: string): Promise<boolean> => {
    const run = startProgram({ args: [main], env: { DATABASE_URL: connectionString } });
    await run.exited;
    return run.output().includes('up to date');
  };
  if (!(await migrate(main))) throw new Error('Expected the migration of a new database to succeed');
  return { ...database, server, proxies, query, migrate };
}

async function insertIntoPostgres(client: pg.Client, rows: RetiredRows, retired: Retired): Promise<void> {
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
}

const META = 'SELECT last_revision AS last, oldest_revision AS oldest, erasure_key AS key FROM meta';
const CHANGES =
  'SELECT revision, guild_id AS guild, origin, reason, target, before, after FROM changes ORDER BY revision';
const GUILDS = `SELECT id AS guild, revision, coalesce(settings ->> 'prefix', '!') AS prefix,
  coalesce(settings ->> 'announcement_channel', '') AS channel FROM guilds`;

/** Rows of both databases. On PostgreSQL, 64-bit numbers are strings; on SQLite, JSON is. */
interface MetaRow {
  readonly last: number | string;
  readonly oldest: number | string;
  readonly key: string | null;
}

type Fields = LogEntry['before'];

interface ChangeRow extends Pick<LogEntry, 'guild' | 'origin' | 'reason'> {
  readonly revision: number | string;
  readonly target: number | string | null;
  readonly before: string | Fields;
  readonly after: string | Fields | null;
}

interface GuildRow extends Omit<Seen, 'revision'> {
  readonly guild: string;
  readonly revision: number | string;
}

function snapshotOf(meta: MetaRow | undefined, changes: readonly ChangeRow[], guilds: readonly GuildRow[]): Snapshot {
  const cipher = meta?.key ? new ErasureCipher(meta.key) : undefined;
  const fieldsOf = (value: string | Fields) => (typeof value === 'string' ? (JSON.parse(value) as Fields) : value);
  return {
    lastRevision: Number(meta?.last ?? 0),
    oldestRevision: Number(meta?.oldest ?? 1),
    log: changes.map((row) => {
      // The id of an erased guild is encrypted.
      const isSealed = !/^\d+$/.test(row.guild);
      return {
        ...row,
        guild: isSealed && cipher ? cipher.open(row.guild) : row.guild,
        revision: Number(row.revision),
        target: row.target === null ? null : Number(row.target),
        before: fieldsOf(row.before),
        after: isSealed || row.after === null ? null : fieldsOf(row.after),
      };
    }),
    guilds: new Map(guilds.map(({ guild, ...seen }) => [guild, { ...seen, revision: Number(seen.revision) }])),
  };
}

/** Rows for retention to erase: guilds that the bot left 40 days ago, with changes from 100 days ago. */
type RetiredRows = ReturnType<Retired['next']>;

const DAY_MS = 86_400_000;

/** The rows that the harness has inserted for retention to erase. */
export class Retired {
  #created = 0n;
  readonly #ranges: { readonly first: number; readonly last: number }[] = [];

  get count(): number {
    return Number(this.#created);
  }

  next(guilds: number, changesEach: number) {
    const ids = Array.from({ length: guilds }, () => String(FIRST_RETIRED_ID + (this.#created++ << 22n)));
    return { guilds: ids, changesEach, leftAt: Date.now() - 40 * DAY_MS, changedAt: Date.now() - 100 * DAY_MS };
  }

  /** Records the revisions of rows whose commit succeeded or has an unknown outcome. */
  note(first: number, rows: RetiredRows): void {
    this.#ranges.push({ first, last: first + rows.guilds.length * rows.changesEach - 1 });
  }

  has(revision: number): boolean {
    return this.#ranges.some(({ first, last }) => revision >= first && revision <= last);
  }
}
