import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Program, startProgram, waitUntil } from '@guild-settings/testing';

const PACKAGE = new URL('../../', import.meta.url);

/** The last line of the report in text form. */
export const STARTED = 'Stop with Ctrl-C.';

export interface SandboxProcessOptions {
  /** The program in the folder of the package: dist/main.js unless given. */
  readonly program?: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The working folder, which contains `./data`. */
  readonly folder: string;
}

export interface SandboxProcess extends Program {
  /** Resolves with standard output once it contains a text. Rejects when the process ends without it. */
  printed(text: string): Promise<string>;
}

/** Starts the sandbox on free ports. */
export function runSandbox({
  program = 'dist/main.js',
  args = [],
  env = {},
  folder,
}: SandboxProcessOptions): SandboxProcess {
  const file = fileURLToPath(new URL(program, PACKAGE));
  const started = startProgram({
    args: ['--enable-source-maps', file, ...args],
    cwd: folder,
    env: { PORT: '0', SIM_PORT: '0', HEALTH_PORT: '0', ...env },
  });
  return {
    ...started,
    async printed(text) {
      await waitUntil(() => started.stdout().includes(text) || !started.isRunning());
      if (!started.isRunning()) await started.exited;
      if (!started.stdout().includes(text)) throw new Error(`Expected ${text}, received:\n${started.output()}`);
      return started.stdout();
    },
  };
}

/** Runs a curl command of a report in a shell, like a user who pastes it. */
export async function runCurl(line: string): Promise<{ status: number; body: unknown }> {
  const { stdout } = await promisify(execFile)('bash', ['-c', line]);
  const [head = '', body = ''] = stdout.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

export function curlLines(report: string): string[] {
  return report
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl '));
}
