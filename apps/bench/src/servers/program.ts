import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** A process of the bench, killed at the end of its scope. */
export interface Program extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The end of what it wrote to standard output and error. */
  readonly output: () => string;
  readonly ended: Promise<void>;
}

/** Where a process runs, so that load and server do not push each other aside. `anywhere`: as the system likes. */
export type Place = 'server' | 'load' | 'anywhere';

const CORES = { server: 0, load: 1 } as const;
const KEPT = 10_000;

/** Whether processes can be pinned to cores here. */
const canPin = availableParallelism() > 1 && hasTaskset();

export interface ProgramOptions {
  /** The JavaScript to run, or another program's path with `args`. */
  readonly file: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly place?: Place;
  /** Options of Node's. */
  readonly execArgv?: readonly string[];
}

/** Runs a program of Node's. It sees PATH and what it is given of the environment. */
export function run({ file, env = {}, place = 'anywhere', execArgv = [] }: ProgramOptions): Program {
  const node = [process.execPath, ...execArgv, file];
  const [command = '', ...args] =
    canPin && place !== 'anywhere' ? ['taskset', '-c', String(CORES[place]), ...node] : node;
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT);
    });
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    child,
    pid: child.pid ?? -1,
    output: () => output,
    ended,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
