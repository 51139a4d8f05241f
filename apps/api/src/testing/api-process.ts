import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The built service as a process of its own. */
export interface ApiProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** What it wrote to standard output and error. */
  readonly output: () => string;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Runs the built service on a free port and waits until it listens. */
export async function startApiProcess(env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<ApiProcess> {
  const started = spawnApi({ PORT: '0', ...env }, args);
  const url = await new Promise<string>((resolve, reject) => {
    started.process.stdout?.on('data', () => {
      const found = /listening at (http:\/\/[^"]+)"/.exec(started.output())?.[1];
      if (found !== undefined) resolve(found);
    });
    started.process.once('exit', () => reject(new Error(`the service did not start:\n${started.output()}`)));
  });
  return { ...started, url };
}

/** Runs the built service and does not wait for it. */
export function spawnApi(env: NodeJS.ProcessEnv, args: readonly string[] = []): Omit<ApiProcess, 'url'> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return {
    process: child,
    output: () => output,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}
