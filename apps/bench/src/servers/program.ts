import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type Program, startProgram } from '@guild-settings/testing';

/** The core of a process, so that load and servers do not compete. `anywhere`: not pinned. */
export type Place = 'server' | 'load' | 'anywhere';

const CORES = { server: 0, load: 1 } as const;

const canPin =
  availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0;

export interface PlacedProgramOptions {
  readonly file: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly place?: Place;
  /** A file for the standard output, which is otherwise kept in memory. */
  readonly outputFile?: string;
}

/** Starts a process of Node with a message channel, pinned to the core of its place. */
export function startPlaced({ file, env = {}, place = 'anywhere', outputFile }: PlacedProgramOptions): Program {
  const pinned = canPin && place !== 'anywhere' ? ['taskset', '-c', String(CORES[place])] : [];
  const redirected = outputFile === undefined ? [] : ['sh', '-c', `exec "$@" > "$0"`, outputFile];
  const [program = '', ...args] = [...redirected, ...pinned, process.execPath, file];
  return startProgram({ file: program, args, env: { NODE_ENV: 'production', ...env }, ipc: true });
}
