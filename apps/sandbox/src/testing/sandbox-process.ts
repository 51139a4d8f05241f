import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const DIST = new URL('../../dist/', import.meta.url);

export interface SandboxProcessOptions {
  /** Which program, below dist: main.js unless given. */
  readonly program?: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The working folder, where ./data is. */
  readonly folder: string;
}

/** The built sandbox as a process, killed at the end of its scope. */
export interface SandboxProcess extends AsyncDisposable {
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with standard output once it holds this text. Rejects when the process ends without it. */
  printed(text: string): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** The exit code; null after a signal. */
  readonly exited: Promise<number | null>;
}

/** Runs the built sandbox on free ports, without any variable of this process's that it would read. */
export function runSandbox({
  program = 'main.js',
  args = [],
  env = {},
  folder,
}: SandboxProcessOptions): SandboxProcess {
  const child = spawn(process.execPath, ['--enable-source-maps', fileURLToPath(new URL(program, DIST)), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', SIM_PORT: '0', HEALTH_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);

  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
    kill: (signal) => child.kill(signal),
    async printed(text) {
      while (!output.stdout.includes(text)) {
        const ended = await Promise.race([exited.then(() => true), once(child.stdout, 'data').then(() => false)]);
        if (ended && !output.stdout.includes(text)) throw new Error(`It ended without it: ${output.stderr}`);
      }
      return output.stdout;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
