import { fileURLToPath } from 'node:url';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { vi } from 'vitest';
import { PACKAGE_FOLDER } from '../../../apps/api/src/own-package.ts';
import { type Program, startProgram, temporaryFolder } from './index.ts';
import { IDS, startWorld, type Tokens } from './people.ts';

const MAIN = fileURLToPath(new URL('../../../apps/api/dist/main.js', import.meta.url));

export interface ApiProcess extends Program {
  readonly url: string;
}

/** Starts the built service on a free port and waits until it listens. */
export async function startApiProcess(env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<ApiProcess> {
  const program = spawnApi({ PORT: '0', ...env }, args);
  const [, url = ''] = await program.waitForOutput(/listening at (http:\/\/[^"]+)"/);
  return { ...program, url };
}

/** Starts the built service without waiting for it. */
export function spawnApi(env: NodeJS.ProcessEnv, args: readonly string[] = []): Program {
  return startProgram({ args: [MAIN, ...args], env });
}

/** The built service as a process, with its own folder and its own Discord, stopped at the end of its scope. */
export interface ProcessWorld extends ApiProcess, AsyncDisposable {
  readonly folder: string;
  readonly discord: DiscordSim;
  readonly tokens: Tokens;
}

export async function processWorld(env: NodeJS.ProcessEnv = {}): Promise<ProcessWorld> {
  const folder = temporaryFolder();
  const { discord, tokens } = await startWorld(Date.now);
  const api = await startApiProcess({
    DATABASE_URL: `file:${folder.file('test.db')}`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: IDS.application,
    ...env,
  });
  return {
    ...api,
    folder: folder.path,
    discord,
    tokens,
    async [Symbol.asyncDispose]() {
      await api.end('SIGKILL');
      await discord.close();
      folder[Symbol.dispose]();
    },
  };
}

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output and standard error together, trimmed. */
  readonly output: string;
}

export interface RunOptions {
  readonly args?: readonly string[];
  /** The complete environment, except for PATH. */
  readonly env?: NodeJS.ProcessEnv;
  /** The working folder; the package's own unless given. */
  readonly cwd?: string;
}

/** Runs a built program of this package, such as `main` or `copy`, to its end. */
export async function runBuilt(program: string, { args = [], env = {}, cwd }: RunOptions = {}): Promise<Finished> {
  const main = fileURLToPath(new URL(`dist/${program}.js`, PACKAGE_FOLDER));
  await using running = startProgram({ args: [main, ...args], env, cwd: cwd ?? fileURLToPath(PACKAGE_FOLDER) });
  return { ...(await running.finished()), output: running.output().trim() };
}

let runs = 0;

/**
 * Runs a command of this package in this process, like its program, with arguments and an environment. One at a time.
 */
export async function runCommandHere(command: string, { args = [], env = {} }: RunOptions = {}): Promise<Finished> {
  const { argv, exitCode } = process;
  const [log, error] = [vi.spyOn(console, 'log').mockReturnValue(), vi.spyOn(console, 'error').mockReturnValue()];
  for (const [name, value] of Object.entries({ DATABASE_URL: undefined, PGPASSWORD: undefined, ...env }))
    vi.stubEnv(name, value);
  process.argv = [process.execPath, command, ...args];
  process.exitCode = 0;
  runs += 1;
  try {
    // The program runs on import: the query makes each import a new module.
    await import(/* @vite-ignore */ `../../../apps/api/src/cli/${command}.ts?run=${runs}`);
    const [stdout, stderr] = [log, error].map(({ mock }) => mock.calls.flat().join('\n'));
    return {
      code: Number(process.exitCode),
      stdout: stdout ?? '',
      stderr: stderr ?? '',
      output: `${stdout}\n${stderr}`.trim(),
    };
  } finally {
    process.argv = argv;
    process.exitCode = exitCode;
    log.mockRestore();
    error.mockRestore();
    vi.unstubAllEnvs();
  }
}
