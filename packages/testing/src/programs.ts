import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { keepServiceErrors } from './failure-context.ts';

export interface ProgramOptions {
  /** The executable; Node unless given. */
  readonly file?: string;
  readonly args?: readonly string[];
  /** The complete environment of the process, except for PATH. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The user and group of the process, if this process may set them. */
  readonly uid?: number | undefined;
  /** True: a channel for messages between Node processes is opened. */
  readonly ipc?: boolean;
  /** True: standard input can be written. It is empty unless given. */
  readonly hasInput?: boolean;
  /** The descriptor of the file to which standard output is written, instead of being kept. */
  readonly stdout?: number;
  /** True: the process leads its own process group. */
  readonly detached?: boolean;
}

/** The exit of a process: exactly one of the two is not null. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Finished extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** A child process, killed at the end of its scope, or when this process exits. */
export interface Program extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The last megabyte of standard output and error together. */
  output(): string;
  stdout(): string;
  stderr(): string;
  isRunning(): boolean;
  wasEnded(): boolean;
  /**
   * Resolves with the first match in the output; with null when the process ends or the time is over without a match.
   */
  findOutput(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray | null>;
  /**
   * Resolves with the first match in the output.
   * @throws Error with the output when the process ends without a match
   */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal unless the process has ended. */
  signal(signal: NodeJS.Signals): void;
  end(signal: NodeJS.Signals): Promise<Exit>;
  readonly exited: Promise<Exit>;
  finished(): Promise<Finished>;
}

/**
 * The arguments with which Node runs sources of this repository, because a process does not inherit those of its
 * parent.
 */
const SOURCE_ARGUMENTS = ['--conditions=@guild-settings/source', '--enable-source-maps'];

const COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

const MAX_OUTPUT_CHARACTERS = 1 << 20;
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a process. Node runs sources and the text of `--eval` like `scripts/run.mjs` does: with the sources of this
 * repository's packages, reusing earlier compilations.
 */
export function startProgram(options: ProgramOptions): Program {
  const { file = process.execPath, args = [], env = {}, cwd, uid, ipc = false, hasInput = false } = options;
  const { stdout = 'pipe', detached = false } = options;
  const isSource = file === process.execPath && !args.some((argument) => /\.m?js$/.test(argument));
  const child = spawn(file, isSource ? [...SOURCE_ARGUMENTS, ...args] : args, {
    ...(uid !== undefined && { uid, gid: uid }),
    ...(cwd !== undefined && { cwd }),
    env: { PATH: process.env.PATH, ...(isSource && { NODE_COMPILE_CACHE: COMPILE_CACHE }), ...env },
    stdio: [hasInput ? 'pipe' : 'ignore', stdout, 'pipe', ...(ipc ? ['ipc' as const] : [])],
    detached,
  });
  running.add(child);
  const text = { output: '', stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
      keepServiceErrors(chunk);
      for (const name of ['output', stream] as const) text[name] = (text[name] + chunk).slice(-MAX_OUTPUT_CHARACTERS);
      child.emit('output');
    });
  }
  const exited = once(child, 'close').then(
    () => ({ code: child.exitCode, signal: child.signalCode }),
    () => ({ code: -1, signal: null }),
  );
  void exited.then(() => running.delete(child));
  let wasEnded = false;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const signal = (name: NodeJS.Signals) => {
    if (isRunning()) child.kill(name);
  };
  const findOutput = async (pattern: RegExp, timeoutMs: number) => {
    const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
    for (;;) {
      const found = pattern.exec(text.output);
      if (found !== null || timeout.aborted) return found;
      const more = once(child, 'output', { signal: timeout }).then(
        () => true,
        () => true,
      );
      if (!(await Promise.race([more, exited.then(() => false)]))) return pattern.exec(text.output);
    }
  };
  const end = (name: NodeJS.Signals) => {
    wasEnded = true;
    // A stopped process does not handle other signals.
    if (name !== 'SIGKILL') signal('SIGCONT');
    signal(name);
    return exited;
  };
  return {
    child,
    pid: child.pid ?? -1,
    output: () => text.output,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    isRunning,
    wasEnded: () => wasEnded,
    findOutput,
    async waitForOutput(pattern) {
      const found = await findOutput(pattern, MAX_TIMEOUT_MS);
      if (found === null)
        throw new Error(`Expected ${pattern} from ${file} ${args.join(' ')}, received:\n${text.output}`);
      return found;
    },
    signal,
    end,
    exited,
    finished: async () => ({ ...(await exited), stdout: text.stdout, stderr: text.stderr }),
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
    },
  };
}

/**
 * Runs a process to its end.
 * @throws Error with the output unless it ends with exit code 0
 */
export async function runProgramToEnd(options: ProgramOptions): Promise<Finished> {
  const finished = await startProgram(options).finished();
  const { code, signal, stdout, stderr } = finished;
  if (code === 0) return finished;
  const name = [options.file ?? 'node', ...(options.args ?? [])].join(' ');
  throw new Error(`Expected ${name} to succeed, it ended with ${code ?? signal}:\n${stdout}${stderr}`);
}

/** Below the ports of outgoing connections, one of which could take the port of a server that is being restarted. */
const MIN_PORT = 10_000;
const MAX_PORT = 32_000;

/** Returns a currently free port of 127.0.0.1, for a server that keeps its port over restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(MIN_PORT, MAX_PORT);
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

/** Returns a URL of 127.0.0.1 that refuses connections. */
export async function unreachableUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}

/** Folders of the programs of an operating system, including those that are not on every user's path. */
const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'];

/** Returns true if this machine has a command. Tests of rare commands are skipped without them. */
export function hasCommand(name: string): boolean {
  return FOLDERS.some((folder) => existsSync(join(folder, name)));
}

const run = promisify(execFile);

/** The folder of the fetched versions, in the repository's `node_modules`. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url));

/** The npm package of Node for this system, as in the catalog. */
const SYSTEM = `${process.platform}-${process.arch}`.replace('win32', 'win');
const PACKAGE = SYSTEM === 'darwin-arm64' ? `node-bin-${SYSTEM}` : `node-${SYSTEM}`;

/**
 * Returns the executable of another version of Node. npm fetches its package into a cache folder, once per version. It
 * is not a dependency, because its executable would replace the repository's own `node`.
 * @param range a release line such as `22`, whose newest version is returned, or a part of it such as `22.19`
 * @throws Error if npm cannot fetch it
 */
export async function fetchNode(range: string): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'fetching-'));
  try {
    const { stdout } = await run('npm', ['pack', `${PACKAGE}@${range}`, '--json', '--pack-destination', folder]);
    const [packed] = JSON.parse(stdout) as [{ readonly filename: string; readonly version: string }];
    const found = join(CACHE, packed.version);
    if (!existsSync(found)) {
      await run('tar', ['-xzf', join(folder, packed.filename), '-C', folder]);
      // Another process may have been faster.
      await rename(join(folder, 'package'), found).catch((error: unknown) => {
        if (!existsSync(found)) throw error;
      });
    }
    return join(found, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } finally {
    await rm(folder, { recursive: true });
  }
}
