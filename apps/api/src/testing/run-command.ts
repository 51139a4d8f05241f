import { vi } from 'vitest';
import type { Finished, RunOptions } from './api-process.ts';

let runs = 0;

/** Runs a command of this package in this process, as its program does, with arguments and an environment. One at a time. */
export async function runCommandHere(command: string, { args = [], env = {} }: RunOptions = {}): Promise<Finished> {
  const { argv, exitCode } = process;
  const [log, error] = [vi.spyOn(console, 'log').mockReturnValue(), vi.spyOn(console, 'error').mockReturnValue()];
  for (const [name, value] of Object.entries({ DATABASE_URL: undefined, PGPASSWORD: undefined, ...env }))
    vi.stubEnv(name, value);
  process.argv = [process.execPath, command, ...args];
  process.exitCode = 0;
  runs += 1;
  try {
    // The program runs when it is imported: the query makes each import another module.
    await import(/* @vite-ignore */ `../cli/${command}.ts?run=${runs}`);
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
