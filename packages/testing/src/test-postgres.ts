import { chmod } from 'node:fs/promises';
import { startPostgresServer } from './postgres-server.ts';
import { queryPostgres } from './query-postgres.ts';
import { ResourceStack } from './resource-stack.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A PostgreSQL server for tests; its databases are dropped at the end of its scope. */
export interface TestPostgres extends AsyncDisposable {
  /** Creates a database and returns its URL: an empty one, or a copy of one without connections. */
  createDatabase(copyOf?: string): Promise<string>;
}

interface TestPostgresOptions {
  /** True: starts a server whose processes and configuration may be changed. False unless given. */
  readonly isOwn?: boolean;
}

let created = 0;

/** Starts a server from an npm package, or uses the one at TEST_DATABASE_URL. */
export async function startTestPostgres({ isOwn = false }: TestPostgresOptions = {}): Promise<TestPostgres> {
  const external = process.env.TEST_DATABASE_URL;
  if (external && !isOwn) return databasesOn(external, new ResourceStack());
  await using resources = new ResourceStack();
  return databasesOn(await startIn(resources), resources.move());
}

/**
 * Starts a server for all tests of a package, unless TEST_DATABASE_URL names one, and sets TEST_DATABASE_URL. Its commits do
 * not wait for the disk.
 */
export async function sharePostgres(): Promise<AsyncDisposable> {
  await using resources = new ResourceStack();
  process.env.TEST_DATABASE_URL ||= await startIn(resources, { fsync: 'off', max_connections: '300' });
  return resources.move();
}

async function startIn(resources: ResourceStack, settings?: Readonly<Record<string, string>>): Promise<string> {
  const folder = resources.use(temporaryFolder());
  await chmod(folder.path, 0o755);
  const { port } = resources.use(await startPostgresServer(folder.path, settings));
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
}

function databasesOn(url: string, resources: ResourceStack): TestPostgres {
  return {
    async createDatabase(copyOf) {
      created += 1;
      const name = `guild_settings_test_${process.pid}_${created}`;
      const template = copyOf === undefined ? 'template1' : new URL(copyOf).pathname.slice(1);
      // A copy of the files has the template's catalog cache as well, which the first connection would have to build.
      await queryPostgres(url, `CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY FILE_COPY`);
      const drop = () => queryPostgres(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      resources.use({ [Symbol.asyncDispose]: async () => void (await drop()) });
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}
