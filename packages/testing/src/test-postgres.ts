import { chmod } from 'node:fs/promises';
import { startPostgresServer } from './postgres-server.ts';
import { queryPostgres } from './query-postgres.ts';
import { ResourceStack } from './resource-stack.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A PostgreSQL server for tests; its databases are dropped at the end of its scope. */
export interface TestPostgres extends AsyncDisposable {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
}

let created = 0;

/** Starts a server from an npm package, or uses the one at TEST_DATABASE_URL. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const external = process.env.TEST_DATABASE_URL;
  if (external) return databasesOn(external, new ResourceStack());
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  await chmod(folder.path, 0o755);
  const { port } = resources.use(await startPostgresServer(folder.path));
  return databasesOn(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`, resources.move());
}

function databasesOn(url: string, resources: ResourceStack): TestPostgres {
  return {
    async createDatabase() {
      created += 1;
      const name = `guild_settings_test_${process.pid}_${created}`;
      await queryPostgres(url, `CREATE DATABASE "${name}"`);
      const drop = () => queryPostgres(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      resources.use({ [Symbol.asyncDispose]: async () => void (await drop()) });
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}
