import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, type Program, startProgram } from '@guild-settings/testing';

/** The core of a process, so that load and servers do not compete. `anywhere`: not pinned. */
type Place = 'server' | 'load' | 'anywhere';

const CORES = { server: 0, load: 1 } as const;

const canPin =
  availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0;

export interface ServerOptions {
  readonly file: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly place?: Place;
  /** A file for standard output, which is otherwise kept in memory. */
  readonly outputFile?: string;
  readonly args?: readonly string[];
  readonly portVariable?: string;
  readonly port?: number;
}

export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

const START_TIMEOUT_MS = 60_000;

/** Starts a server on a free port and waits until it is ready. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { portVariable = 'PORT', place = 'server' } = options;
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const program = startPlaced({ ...options, place, env: { ...options.env, [portVariable]: String(port) } });
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true;
  for (const deadline = performance.now() + START_TIMEOUT_MS; !(await isReady()); await delay(10)) {
    if (program.isRunning() && performance.now() < deadline) continue;
    await program[Symbol.asyncDispose]();
    throw new Error(`${options.file} is not ready:\n${program.output()}`);
  }
  return { url, pid: program.pid, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

export function startPeer(name: string, database = '', options: Omit<ServerOptions, 'file'> = {}): Promise<Server> {
  return startServer({ file: built('peers'), args: [name], ...options, env: { DATABASE: database, ...options.env } });
}

/** Functions that another process runs for this one, each with one argument. */
type Jobs = Readonly<Record<string, (job: never) => Promise<unknown>>>;

type Reply = { readonly result: unknown } | { readonly error: string };

interface Task<All extends Jobs> extends AsyncDisposable {
  run<Name extends keyof All & string>(name: Name, job: Parameters<All[Name]>[0]): ReturnType<All[Name]>;
}

/** Starts a process that runs the jobs of a file, one at a time. */
export function startTask<All extends Jobs>(file: string, place: Place = 'load'): Task<All> {
  const program = startPlaced({ file: built(file), place });
  const died = program.exited.then((): Reply => ({ error: `${file} exited:\n${program.output()}` }));
  const run = async (...job: [name: string, job: unknown]) => {
    const replied = once(program.child, 'message').then(([reply]) => reply as Reply);
    program.child.send(job);
    const reply = await Promise.race([replied, died]);
    if ('error' in reply) throw new Error(reply.error);
    return reply.result;
  };
  return { run: run as Task<All>['run'], [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

/** Runs jobs for the process that has started this one as a task. Has no effect in other processes. */
export function handleJobs(file: string, jobs: Jobs): void {
  if (process.argv[1] !== built(file)) return;
  process.on('message', ([name, job]: [string, never]) => {
    Promise.resolve(jobs[name]?.(job)).then(
      (result) => process.send?.({ result } satisfies Reply),
      (error: unknown) => process.send?.({ error: error instanceof Error ? (error.stack ?? '') : String(error) }),
    );
  });
}

/** Returns the built file of this package, whether this one runs from src or from dist. */
function built(name: string): string {
  return fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));
}

/** Starts a Node process with a message channel, pinned to the core of its place. */
function startPlaced({ file, args = [], env, place = 'anywhere', outputFile }: ServerOptions): Program {
  const pinned = canPin && place !== 'anywhere' ? ['taskset', '-c', String(CORES[place])] : [];
  const [program = '', ...rest] = [...pinned, process.execPath, file, ...args];
  const output = outputFile === undefined ? {} : { stdout: openSync(outputFile, 'w') };
  return startProgram({ file: program, args: rest, env: { NODE_ENV: 'production', ...env }, ipc: true, ...output });
}

/** Clock ticks of /proc per second: 100 on every Linux system. */
const TICKS_PER_SECOND = 100;

/**
 * Returns the CPU time of processes in milliseconds, with all their threads.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function cpuMilliseconds(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name is in parentheses, and may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return (ticks.reduce((sum, one) => sum + one, 0) * 1_000) / TICKS_PER_SECOND;
}

/**
 * Returns the resident memory of a process in megabytes.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
export function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}
