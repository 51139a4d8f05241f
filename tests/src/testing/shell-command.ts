import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Finished, killIfRunning, type Program, startProgram } from '@guild-settings/testing';
import { PERSON } from './fresh-clone.ts';

const run = promisify(execFile);

export interface ShellOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A command in its own process group with all of its descendants. Killed at the end of its scope. */
export interface ShellCommand extends Program {
  /** The ids of its process and all descendants. */
  pids(): Promise<number[]>;
}

/**
 * Starts lines like a shell into which a person has pasted them. The shell is replaced by the command of the last line.
 */
export function startShellCommand(line: string, { cwd, env = {} }: ShellOptions): ShellCommand {
  const args = ['-c', line.replace(/^((?:\w+=\S*\s+)*)(.*)$(?![\s\S])/m, '$1exec $2')];
  const program = startProgram({ file: 'bash', args, cwd, env: { ...PERSON, ...env }, detached: true });
  return {
    ...program,
    pids: () => withDescendants(program.pid),
    async [Symbol.asyncDispose]() {
      for (const one of await withDescendants(program.pid)) killIfRunning(one, 'SIGKILL');
      await program.exited;
    },
  };
}

export async function runShellCommand(line: string, options: ShellOptions): Promise<Finished> {
  await using command = startShellCommand(line, options);
  return await command.finished();
}

export async function stillRunning(pids: readonly number[]): Promise<string[]> {
  const listed = await processes();
  return listed.filter(({ pid, state }) => pids.includes(pid) && !state.startsWith('Z')).map(({ line }) => line);
}

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
