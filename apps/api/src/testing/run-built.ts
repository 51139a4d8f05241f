import { fileURLToPath } from 'node:url';
import { startProgram } from '@guild-settings/testing';
import { PACKAGE_FOLDER } from '../package-folder.ts';

/** The end of a program. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both together, without white space at the ends. */
  readonly output: string;
}

export interface RunOptions {
  readonly args?: readonly string[];
  /** The whole environment, but for PATH. */
  readonly env?: NodeJS.ProcessEnv;
  /** The working folder; the package's own unless given. */
  readonly cwd?: string;
}

/** Runs a built program of this package, such as `main` or `copy`, to its end. */
export async function runBuilt(program: string, { args = [], env = {}, cwd }: RunOptions = {}): Promise<Finished> {
  const main = fileURLToPath(new URL(`dist/${program}.js`, PACKAGE_FOLDER));
  await using running = startProgram({ args: [main, ...args], env, cwd: cwd ?? fileURLToPath(PACKAGE_FOLDER) });
  const { code } = await running.exited;
  return { code, stdout: running.stdout(), stderr: running.stderr(), output: running.output().trim() };
}
