import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type Program, startProgram } from '@guild-settings/testing';

/** The core of a process, so that load and servers do not compete. `anywhere`: not pinned. */
export type Place = 'server' | 'load' | 'anywhere';

const CORES = { server: 0, load: 1 } as const;

/** Whether processes can be pinned to cores. */
const canPin = availableParallelism() > 1 && hasTaskset();

export interface PlacedProgramOptions {
  /** The JavaScript file to run. */
  readonly file: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly place?: Place;
  /** Arguments of Node. */
  readonly execArgv?: readonly string[];
}

/** Starts a Node process with a message channel, pinned to the core of its place. */
export function startPlaced({ file, env = {}, place = 'anywhere', execArgv = [] }: PlacedProgramOptions): Program {
  const node = [process.execPath, ...execArgv, file];
  const [command = '', ...args] =
    canPin && place !== 'anywhere' ? ['taskset', '-c', String(CORES[place]), ...node] : node;
  return startProgram({ file: command, args, env: { NODE_ENV: 'production', ...env }, ipc: true });
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
