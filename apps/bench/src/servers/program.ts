import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type Program, startProgram } from '@guild-settings/testing';

/** The core of a process, so that load and servers do not compete. `anywhere`: not pinned. */
export type Place = 'server' | 'load' | 'anywhere';

const CORES = { server: 0, load: 1 } as const;

/** Whether processes can be pinned to cores. */
const canPin = availableParallelism() > 1 && hasTaskset();

export interface PlacedProgramOptions {
  /** The JavaScript file to run, or the executable when it is not of Node. */
  readonly file: string;
  /** Whether Node runs it; true unless given. */
  readonly isNode?: boolean;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly place?: Place;
  /** Arguments of Node. */
  readonly execArgv?: readonly string[];
  /** A file for the standard output, which is otherwise kept in memory. */
  readonly outputFile?: string;
}

/** Starts a process, pinned to the core of its place. Those of Node have a message channel. */
export function startPlaced(options: PlacedProgramOptions): Program {
  const { file, isNode = true, args = [], env = {}, place = 'anywhere', execArgv = [], outputFile } = options;
  const pinned = canPin && place !== 'anywhere' ? ['taskset', '-c', String(CORES[place])] : [];
  const command = [...pinned, ...(isNode ? [process.execPath, ...execArgv] : []), file, ...args];
  const [program = '', ...rest] =
    outputFile === undefined ? command : ['sh', '-c', `exec "$@" > "$0"`, outputFile, ...command];
  return startProgram({ file: program, args: rest, env: { NODE_ENV: 'production', ...env }, ipc: isNode });
}

/** Whether a program of the system is installed. */
export function isInstalled(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v "$0"`, name], { stdio: 'ignore' }).status === 0;
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
