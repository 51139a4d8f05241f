import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { killIfRunning, waitUntil } from '@guild-settings/testing';
import { PERSON } from './fresh-clone.ts';

const run = promisify(execFile);

export interface ShellOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** The end of a command. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs in a process group of its own, with all that it started. Killed at the end of its scope. */
export interface ShellCommand extends AsyncDisposable {
  /** The process of the command itself. */
  readonly pid: number;
  /** Resolves with the first match in the output; rejects when the command ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  output(): string;
  /** The ids of its process and of all that descend from it. */
  pids(): Promise<number[]>;
  readonly ended: Promise<Ended>;
}

/** Starts lines as a shell does in which a person has pasted them. The shell is replaced by the command of the last line. */
export function startShellCommand(line: string, { cwd, env = {} }: ShellOptions): ShellCommand {
  const child = spawn('bash', ['-c', line.replace(/^((?:\w+=\S*\s+)*)(.*)$(?![\s\S])/m, '$1exec $2')], {
    cwd,
    env: { ...PERSON, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk;
    });
  }
  const pid = child.pid ?? -1;
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, ...text }));
  return {
    pid,
    output: () => text.stdout + text.stderr,
    async printed(pattern) {
      const found = () => pattern.exec(text.stdout) ?? pattern.exec(text.stderr);
      await waitUntil(() => found() !== null || hasEnded(child), { timeoutMs: 300_000, message: String(pattern) });
      const match = found();
      if (match === null) throw new Error(`Expected ${pattern} of ${line}, received:\n${text.stdout}${text.stderr}`);
      return match;
    },
    pids: () => withDescendants(pid),
    ended,
    async [Symbol.asyncDispose]() {
      for (const one of await withDescendants(pid)) killIfRunning(one, 'SIGKILL');
      await ended;
    },
  };
}

/** Runs a line to its end. */
export async function runShellCommand(line: string, options: ShellOptions): Promise<Ended> {
  await using command = startShellCommand(line, options);
  return await command.ended;
}

/** Returns those of some processes that still run. */
export async function stillRunning(pids: readonly number[]): Promise<string[]> {
  const listed = await processes();
  return listed.filter(({ pid, state }) => pids.includes(pid) && !state.startsWith('Z')).map(({ line }) => line);
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function withDescendants(root: number): Promise<number[]> {
  const listed = await processes();
  const found = [root];
  for (const parent of found) found.push(...listed.filter(({ parentId }) => parentId === parent).map(({ pid }) => pid));
  return found;
}

async function processes() {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { maxBuffer: 1 << 24 });
  return stdout.split('\n').map((line) => {
    const [pid, parentId, state = ''] = line.trim().split(/\s+/);
    return { pid: Number(pid), parentId: Number(parentId), state, line: line.trim() };
  });
}
