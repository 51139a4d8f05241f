import { chmod } from 'node:fs/promises';
import { serveHttp } from './http-server.ts';
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

/** Starts a server from an npm package, or uses the one at TEST_DATABASE_URL, or the one that the run of the tests shares. */
export async function startTestPostgres({ isOwn = false }: TestPostgresOptions = {}): Promise<TestPostgres> {
  const { TEST_DATABASE_URL: external, [SHARED]: shared } = process.env;
  if (external && !isOwn) return databasesOn(external, new ResourceStack());
  if (shared && !isOwn) return databasesOn(await urlFrom(shared), new ResourceStack());
  await using resources = new ResourceStack();
  return databasesOn(await startIn(resources), resources.move());
}

/** The variable with the address at which test processes get the URL of the shared server. */
const SHARED = 'SHARED_POSTGRES';

/**
 * Shares a server among all test processes of a run, which starts when the first of them needs it: initialising one takes seconds. Its
 * commits do not wait for the disk.
 */
export async function sharePostgres(): Promise<AsyncDisposable> {
  const resources = new ResourceStack();
  let url: Promise<string> | undefined;
  const starter = await serveHttp(async (_request, response) => {
    url ??= startIn(resources, { fsync: 'off', max_connections: '300' });
    try {
      response.end(await url);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  process.env[SHARED] = starter.url;
  resources.use(starter);
  return resources;
}

async function urlFrom(starter: string): Promise<string> {
  const response = await fetch(starter);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
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
