import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@guild-settings/testing';
import { type PlacedProgramOptions, startPlaced } from './program.ts';

export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

export interface ServerOptions extends PlacedProgramOptions {
  readonly portVariable?: string;
  readonly port?: number;
}

const START_TIMEOUT_MS = 60_000;

/** Starts a server on a free port and waits until it is ready. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { portVariable = 'PORT', place = 'server' } = options;
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const program = startPlaced({ ...options, place, env: { ...options.env, [portVariable]: String(port) } });
  for (const deadline = performance.now() + START_TIMEOUT_MS; !(await isReady(`${url}/readyz`)); ) {
    if (!program.isRunning() || performance.now() > deadline) {
      await program[Symbol.asyncDispose]();
      throw new Error(`${options.file} is not ready:\n${program.output()}`);
    }
    await delay(10);
  }
  return { url, pid: program.pid, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

export function startPeer(
  name: string,
  database: string,
  { env = {}, ...options }: Omit<PlacedProgramOptions, 'file'> = {},
): Promise<Server> {
  // The built file, whether this one runs from src or from dist.
  const file = fileURLToPath(new URL(`../../dist/peers/${name}.js`, import.meta.url));
  return startServer({ ...options, file, env: { DATABASE: database, ...env } });
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
